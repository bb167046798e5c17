/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** An immutable set of cores by their numbers, which need not be contiguous. */
public final class Cores {
  /** Upper bound of core numbers, above any kernel's (CONFIG_NR_CPUS is at most 8192 today). */
  private static final int MAX = 100_000;

  private final BitSet numbers;

  private Cores(BitSet numbers) {
    this.numbers = numbers;
  }

  /** Returns the empty set. */
  public static Cores none() {
    return new Cores(new BitSet());
  }

  /**
   * Returns the set of the given core numbers.
   *
   * @param numbers each at least 0, in any order
   */
  public static Cores of(Iterable<Integer> numbers) {
    BitSet set = new BitSet();
    for (int number : numbers) {
      set.set(number);
    }
    return new Cores(set);
  }

  /**
   * Parses the kernel's list format, such as {@code 0-3,8}; a blank list is the empty set.
   *
   * @throws IllegalArgumentException if the text is not in this format
   */
  public static Cores parse(String list) {
    BitSet set = new BitSet();
    if (!list.isBlank()) {
      for (String range : list.strip().split(",", -1)) {
        String[] ends = range.split("-", 2);
        int first = number(ends[0], list);
        int last = number(ends[ends.length - 1], list);
        if (last < first) {
          throw notAList(list);
        }
        set.set(first, last + 1);
      }
    }
    return new Cores(set);
  }

  private static int number(String digits, String list) {
    boolean valid = !digits.isEmpty() && digits.length() <= 5;
    for (int i = 0; i < digits.length(); i++) {
      valid &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    int number = valid ? Integer.parseInt(digits) : MAX;
    if (number >= MAX) {
      throw notAList(list);
    }
    return number;
  }

  private static IllegalArgumentException notAList(String list) {
    String shown = list.length() <= 80 ? list : list.substring(0, 80) + "...";
    return new IllegalArgumentException("'" + shown + "' is not a list of CPUs such as 0-3,8");
  }

  /** Returns the number of cores. */
  public int count() {
    return numbers.cardinality();
  }

  /** Returns whether the set is empty. */
  public boolean isEmpty() {
    return numbers.isEmpty();
  }

  /** Returns whether this set contains all cores of the other one. */
  public boolean containsAll(Cores other) {
    return other.minus(this).isEmpty();
  }

  /** Returns the union of both sets. */
  public Cores with(Cores other) {
    BitSet set = copy();
    set.or(other.numbers);
    return new Cores(set);
  }

  /** Returns the intersection of both sets. */
  public Cores within(Cores other) {
    BitSet set = copy();
    set.and(other.numbers);
    return new Cores(set);
  }

  /** Returns the cores that are in this set only. */
  public Cores minus(Cores other) {
    BitSet set = copy();
    set.andNot(other.numbers);
    return new Cores(set);
  }

  private BitSet copy() {
    return (BitSet) numbers.clone();
  }

  /** Returns the core numbers in ascending order. */
  public List<Integer> numbers() {
    List<Integer> list = new ArrayList<>();
    for (int i = numbers.nextSetBit(0); i >= 0; i = numbers.nextSetBit(i + 1)) {
      list.add(i);
    }
    return list;
  }

  /** Returns the shortest form of the kernel's list format; empty for the empty set. */
  @Override
  public String toString() {
    StringBuilder list = new StringBuilder();
    for (int first = numbers.nextSetBit(0); first >= 0; ) {
      int end = numbers.nextClearBit(first);
      list.append(list.length() == 0 ? "" : ",").append(first);
      if (end > first + 1) {
        list.append('-').append(end - 1);
      }
      first = numbers.nextSetBit(end);
    }
    return list.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cores cores && numbers.equals(cores.numbers);
  }

  @Override
  public int hashCode() {
    return numbers.hashCode();
  }
}
