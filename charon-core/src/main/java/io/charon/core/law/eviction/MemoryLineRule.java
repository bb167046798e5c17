/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Evicts containers when memory use is above a threshold (Alibaba's ACK; the numbers are
 * koordinator's). If {@code used >= line * C}, it releases {@code used - lower * C}, less the
 * memory of containers that are dying.
 *
 * @param linePercent percent of the node's memory from which containers are evicted
 * @param lowerPercent percent of the node's memory down to which they are evicted; below the line
 */
public record MemoryLineRule(int linePercent, int lowerPercent) implements EvictionRule {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "evict-line";

  private static final double MEBIBYTE = 1024 * 1024;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException unless {@code 0 < lowerPercent < linePercent <= 100}
   */
  public MemoryLineRule {
    if (lowerPercent < 1 || linePercent > 100 || lowerPercent >= linePercent) {
      throw new IllegalArgumentException(
          "lower must be at least 1, less than line, and line at most 100; got line %d %%, lower %d %%"
              .formatted(linePercent, lowerPercent));
    }
  }

  /** Returns the memory that is available when the line is reached, in bytes. */
  public long availableAtLineBytes(long capacityBytes) {
    return capacityBytes / 100 * (100 - linePercent);
  }

  /** Returns the memory that launches must leave available, so as not to be evicted, in bytes. */
  public long keptFreeBytes(long capacityBytes) {
    return capacityBytes / 100 * (100 - lowerPercent);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String signal() {
    return "memory in use";
  }

  @Override
  public String unit() {
    return "bytes";
  }

  @Override
  public Resource resource() {
    return Resource.MEMORY;
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(MemoryUse.class, BestEffortTasks.class);
  }

  @Override
  public Finding find(Snapshot seen) {
    MemoryUse memory = seen.get(MemoryUse.class);
    double dying = seen.get(BestEffortTasks.class).dyingBytes();
    double amount = memory.usedBytes() - memory.bytes(lowerPercent) - dying;
    OptionalDouble value = OptionalDouble.of((double) memory.usedBytes());
    if (!memory.isAtLeast(linePercent)) {
      return new Finding(
          value,
          Optional.empty(),
          String.format(Locale.ROOT, "less than %d %% is in use", linePercent));
    }
    if (amount <= 0) {
      return new Finding(
          value, Optional.empty(), "the containers that are being killed release enough");
    }
    String reason =
        String.format(
            Locale.ROOT,
            REASON
                + "above a memory line: %.0f of %.0f MiB are in use, threshold %d %%; %.0f MiB are to be"
                + " released, down to %d %%",
            memory.usedBytes() / MEBIBYTE,
            memory.capacityBytes() / MEBIBYTE,
            linePercent,
            amount / MEBIBYTE,
            lowerPercent);
    return new Finding(
        value,
        Optional.of(
            new Shortage(
                Resource.MEMORY,
                amount,
                Shortage.MAX,
                new Basis(
                    "the node",
                    Map.of(
                        "used", (double) memory.usedBytes(),
                        "capacity", (double) memory.capacityBytes(),
                        "release", amount),
                    memory.bytes(linePercent),
                    "ABOVE_LINE",
                    reason))),
        String.format(Locale.ROOT, "at least %d %% is in use", linePercent));
  }
}
