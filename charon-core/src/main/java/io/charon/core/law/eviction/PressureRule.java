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
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Evicts containers under memory pressure (Alibaba, SoCC'22, section 3.2: memory PSI of the root
 * combined with memory utilization). If some process waited for memory for 5 % of the last ten
 * seconds (rubik), and as much since the previous sample (our choice), <em>and</em> 80 % of the
 * memory is in use (our choice), in two consecutive samples, one container is evicted. Waiting
 * alone is not sufficient: a container at its own limit also causes it, and evicting others would
 * not help. Nor is the average, which stays above the threshold for up to half a minute after the
 * last eviction has ended the waiting.
 */
public final class PressureRule implements EvictionRule {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "evict-psi";

  /** Number of consecutive samples that have to agree. */
  private static final int SAMPLES = 2;

  /** The time over which the signal is averaged. */
  private static final Duration AVERAGED = Duration.ofSeconds(10);

  /** The amount to release at once, percent of the node's memory; never more than one container. */
  private static final double RELEASED_PERCENT = 2;

  private static final double MEBIBYTE = 1024 * 1024;

  /**
   * The share of the time in which at least one process of the machine waited for memory: the line
   * "some" of Linux's pressure stall information.
   *
   * @param somePercent of the last ten seconds, 0 to 100: "avg10", an average in which a share of
   *     1/e remains after ten seconds
   * @param latestPercent of the time since the previous reading, from "total"; empty at the first
   */
  public record MemoryPressure(double somePercent, OptionalDouble latestPercent)
      implements Reading {
    /** Returns whether both shares are at least this; the first reading has only the average. */
    boolean isAtLeast(double percent) {
      return somePercent >= percent && latestPercent.orElse(somePercent) >= percent;
    }
  }

  private final double somePercent;
  private final int usedPercent;
  private final long gapNanos;
  private int agreed;
  private long sampledNanos;

  /**
   * Creates a rule without observations.
   *
   * @param somePercent percent of ten seconds, and of the time since the previous sample, from
   *     which waiting counts as pressure; above 0, to 100
   * @param usedPercent percent of the node's memory in use from which pressure counts; 0 to 100
   * @param tick the usual time between two samples; samples further apart than two of them, and
   *     than the ten seconds, are not consecutive
   * @throws IllegalArgumentException if a number is out of range
   */
  public PressureRule(double somePercent, int usedPercent, Duration tick) {
    if (!(somePercent > 0 && somePercent <= 100) || usedPercent < 0 || usedPercent > 100) {
      throw new IllegalArgumentException(
          "somePercent must be above 0, usedPercent at least 0, both at most 100; got %s and %d"
              .formatted(somePercent, usedPercent));
    }
    this.somePercent = somePercent;
    this.usedPercent = usedPercent;
    this.gapNanos = Math.max(AVERAGED.toNanos(), 2 * tick.toNanos());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String signal() {
    return "time that some process waited for memory";
  }

  @Override
  public String unit() {
    return "ratio";
  }

  @Override
  public Resource resource() {
    return Resource.MEMORY;
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(MemoryUse.class, MemoryPressure.class, BestEffortTasks.class);
  }

  @Override
  public Finding find(Snapshot seen) {
    MemoryUse memory = seen.get(MemoryUse.class);
    MemoryPressure pressure = seen.get(MemoryPressure.class);
    double waited = pressure.somePercent();
    long elapsed = seen.nanos() - sampledNanos;
    sampledNanos = seen.nanos();
    if (elapsed < 0 || elapsed > gapNanos) {
      agreed = 0;
    }
    boolean pressed = pressure.isAtLeast(somePercent);
    boolean full = memory.isAtLeast(usedPercent);
    agreed = pressed && full ? Math.min(SAMPLES, agreed + 1) : 0;
    double amount = memory.bytes(RELEASED_PERCENT) - seen.get(BestEffortTasks.class).dyingBytes();
    OptionalDouble value = OptionalDouble.of(waited / 100);
    if (agreed < SAMPLES || amount <= 0) {
      return new Finding(value, Optional.empty(), cause(pressed, full, amount));
    }
    String reason =
        String.format(
            Locale.ROOT,
            REASON
                + "under memory pressure: some process waited for %.1f %% of 10 s, threshold %.1f %%, while"
                + " %.0f of %.0f MiB are in use, threshold %d %%",
            waited,
            somePercent,
            memory.usedBytes() / MEBIBYTE,
            memory.capacityBytes() / MEBIBYTE,
            usedPercent);
    return new Finding(
        value,
        Optional.of(
            new Shortage(
                Resource.MEMORY,
                amount,
                1,
                new Basis(
                    "the node",
                    Map.of(
                        "somePercent", waited,
                        "used", (double) memory.usedBytes(),
                        "capacity", (double) memory.capacityBytes()),
                    somePercent,
                    "PRESSURE",
                    reason))),
        "processes wait for memory, and the memory is full");
  }

  private static String cause(boolean pressed, boolean full, double amount) {
    if (!pressed) {
      return "processes hardly wait for memory";
    }
    if (!full) {
      return "processes wait for memory, but the memory is not full";
    }
    return amount > 0
        ? "processes wait for memory, and the memory is full, in one sample so far"
        : "the containers that are being killed release enough";
  }
}
