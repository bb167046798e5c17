/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import io.charon.core.law.memorylimit.LimitBasis;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The input that the process that moves the limit receives once a second.
 *
 * @param number returned in its reports
 * @param basis the result of the last slow sample
 * @param othersCleanBytes page cache of others that could be dropped at once, at that sample:
 *     active and inactive file pages that are neither dirty nor under writeback
 * @param swapLimitBytes best-effort's swap in addition to its limit; {@link #ANY_SWAP}: unlimited;
 *     empty: unchanged
 * @param swappiness the swappiness of best-effort's cgroups, which is set to 0 during steps that
 *     reclaim only page cache (cgroup v1 with swap); empty: it is not changed
 * @param dirtyPercent share of the limit that best-effort's dirty pages may take before its open
 *     files are written back early; empty: no maximum
 * @param enforce false: the process only reports what it would do
 */
public record MemoryLimitBasis(
    long number,
    LimitBasis basis,
    long othersCleanBytes,
    OptionalLong swapLimitBytes,
    OptionalInt swappiness,
    OptionalInt dirtyPercent,
    boolean enforce) {

  /** The largest number that the process accepts, which it takes for no limit. */
  public static final long ANY_SWAP = 1L << 50;

  /** Returns whether best-effort may have only a certain amount of swap. */
  public boolean limitsSwap() {
    return swapLimitBytes.isPresent() && swapLimitBytes.getAsLong() < ANY_SWAP;
  }

  /** Returns a copy with another setting of whether the limit is written. */
  public MemoryLimitBasis enforcing(boolean enforces) {
    return new MemoryLimitBasis(
        number, basis, othersCleanBytes, swapLimitBytes, swappiness, dirtyPercent, enforces);
  }

  /** Returns a copy for a program that does not know {@link LimitBasis#growsIntoExcess}. */
  public MemoryLimitBasis withoutGrowth() {
    return new MemoryLimitBasis(
        number,
        basis.growingIntoExcess(false),
        othersCleanBytes,
        swapLimitBytes,
        swappiness,
        dirtyPercent,
        enforce);
  }

  /** Returns the line that {@code ua_limit_basis.c} parses. */
  String line() {
    StringBuilder line = new StringBuilder(300);
    add(line, "number", number);
    add(line, "boundary", basis.boundaryBytes());
    add(line, "reserve", basis.reserveBytes());
    add(line, "others", basis.othersBytes());
    add(line, "swap", basis.swapBytes());
    add(line, "excess", basis.excessBytes());
    add(line, "owed", basis.owedBytes());
    add(line, "claim", basis.claimBytes());
    add(line, "clean", othersCleanBytes);
    if (basis.growsIntoExcess()) { // a program of an earlier release does not know it
      add(line, "grow-into-excess", 1);
    }
    swapLimitBytes.ifPresent(bytes -> add(line, "swap-limit", bytes));
    swappiness.ifPresent(value -> add(line, "swappiness", value));
    dirtyPercent.ifPresent(
        value -> add(line, "dirty-percent", value)); // older helpers do not know it
    add(line, "enforce", enforce ? 1 : 0);
    return line.toString();
  }

  private static void add(StringBuilder line, String word, long number) {
    line.append(line.isEmpty() ? "" : " ").append(word).append('=').append(number);
  }
}
