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
 * What the process that moves the limit is told once a second.
 *
 * @param number comes back in its reports
 * @param basis what the last slow look said
 * @param othersCleanBytes page cache of others that could be dropped at once, at that look: active
 *     and inactive file pages that are neither dirty nor under writeback
 * @param swapLimitBytes what best-effort may have in swap beside its limit; empty: as it is
 * @param swappableBytes what of best-effort may be pushed out to swap now
 * @param swappiness of best-effort's cgroups, which steps that take page cache only set to 0 for
 *     their time (cgroup v1 with swap); empty: they do not
 * @param dirtyPercent how much of the limit best-effort's dirty pages may take before files that it
 *     has open are written back early; empty: as much as they like
 * @param enforce false: it reports what it would do
 * @param mayFreeze whether best-effort may be frozen, for at most ten seconds, while little is free
 */
public record MemoryLimitBasis(
    long number,
    LimitBasis basis,
    long othersCleanBytes,
    OptionalLong swapLimitBytes,
    long swappableBytes,
    OptionalInt swappiness,
    OptionalInt dirtyPercent,
    boolean enforce,
    boolean mayFreeze) {

  /** The same with another word on whether the limit is written. */
  public MemoryLimitBasis enforcing(boolean enforces) {
    return new MemoryLimitBasis(
        number,
        basis,
        othersCleanBytes,
        swapLimitBytes,
        swappableBytes,
        swappiness,
        dirtyPercent,
        enforces,
        mayFreeze);
  }

  /** The words of {@code ua_limit_basis.c}. */
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
    swapLimitBytes.ifPresent(bytes -> add(line, "swap-limit", bytes));
    add(line, "swappable", swappableBytes);
    swappiness.ifPresent(value -> add(line, "swappiness", value));
    dirtyPercent.ifPresent(value -> add(line, "dirty-percent", value)); // older ones know none
    add(line, "enforce", enforce ? 1 : 0);
    add(line, "freeze", mayFreeze ? 1 : 0);
    return line.toString();
  }

  private static void add(StringBuilder line, String word, long number) {
    line.append(line.isEmpty() ? "" : " ").append(word).append('=').append(number);
  }
}
