/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A set of cores by their numbers, in which there may be gaps. Immutable. */
public final class Cores {
  /** More than any kernel numbers (CONFIG_NR_CPUS is at most 8192 today). */
  private static final int MAX = 100_000;

  private final BitSet numbers;

  private Cores(BitSet numbers) {
    this.numbers = numbers;
  }

  /** No core. */
  public static Cores none() {
    return new Cores(new BitSet());
  }

  /**
   * The cores with these numbers.
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
   * Reads the kernel's list format, such as {@code 0-3,8}; blank is none.
   *
   * @throws IllegalArgumentException if the text is no such list
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
    return new IllegalArgumentException("'" + shown + "' is no list of CPUs such as 0-3,8");
  }

  /** How many. */
  public int count() {
    return numbers.cardinality();
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return numbers.isEmpty();
  }

  /** Whether all of the other's cores are among these. */
  public boolean containsAll(Cores other) {
    return other.minus(this).isEmpty();
  }

  /** Those of either set. */
  public Cores with(Cores other) {
    BitSet set = copy();
    set.or(other.numbers);
    return new Cores(set);
  }

  /** Those of both sets. */
  public Cores within(Cores other) {
    BitSet set = copy();
    set.and(other.numbers);
    return new Cores(set);
  }

  /** Those of this set only. */
  public Cores minus(Cores other) {
    BitSet set = copy();
    set.andNot(other.numbers);
    return new Cores(set);
  }

  private BitSet copy() {
    return (BitSet) numbers.clone();
  }

  /** Their numbers, rising. */
  public List<Integer> numbers() {
    List<Integer> list = new ArrayList<>();
    for (int i = numbers.nextSetBit(0); i >= 0; i = numbers.nextSetBit(i + 1)) {
      list.add(i);
    }
    return list;
  }

  /** The kernel's list format, as short as it can be; empty for none. */
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
