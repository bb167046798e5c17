/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.recording;

import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Records how production performed beside best-effort in intervals of 30 s (ByteDance with Intel
 * RDT), the input of {@code bin/charon contention}. Used by the tick's thread only.
 */
public final class IntervalRecorder {
  private static final double INTERVAL_SECONDS = Duration.ofSeconds(30).toNanos() / 1e9;

  /** Longest gap between two readings that a short tick may leave. */
  private static final Duration GAP = Duration.ofSeconds(5);

  /** Smallest share of an interval for which a value must have been read. */
  private static final double COVERED = 0.5;

  private final Supplier<Optional<NodeReading>> last;
  private final Consumer<Recorded> recording;
  private final Clock clock;
  private final double gapSeconds;
  private Optional<NodeReading> before = Optional.empty();
  private Sums sums = new Sums();

  /** Sums over an interval, weighted by the seconds that each reading covers. */
  private static final class Sums {
    private double seconds;
    private double production;
    private double bestEffort;
    private double cycles;
    private double instructions;
    private double countedSeconds;
    private double pressure;
    private double pressureSeconds;

    void add(NodeReading reading, double cores, double others, double since) {
      seconds += since;
      production += cores * since;
      bestEffort += others * since;
      Measurement ratio = reading.health().instructionsPerCycle();
      if (ratio.isPresent()) {
        // Cycles are counted as time on a CPU, which is exact while the clock frequency is
        // constant.
        cycles += cores * since;
        instructions += ratio.value().getAsDouble() * cores * since;
        countedSeconds += since;
      }
      if (reading.health().pressure().isPresent()) {
        pressure += reading.health().pressure().value().getAsDouble() * since;
        pressureSeconds += since;
      }
    }

    Recorded line(long nanos, long wallMillis) {
      return new Recorded.SideBySide(
          nanos,
          wallMillis,
          seconds,
          production / seconds,
          bestEffort / seconds,
          instructions > 0 && countedSeconds >= COVERED * seconds ? cycles / instructions : null,
          pressureSeconds >= COVERED * seconds ? pressure / pressureSeconds : null);
    }
  }

  /**
   * Creates a recorder.
   *
   * @param last the reading of the last tick
   * @param recording receives the lines
   * @param clock provides their timestamps
   * @param tick the usual time between two readings; what happened between readings further apart
   *     than two of them, and than 5 s, is unknown
   */
  public IntervalRecorder(
      Supplier<Optional<NodeReading>> last,
      Consumer<Recorded> recording,
      Clock clock,
      Duration tick) {
    this.last = last;
    this.recording = recording;
    this.clock = clock;
    this.gapSeconds = Math.max(GAP.toNanos(), 2 * tick.toNanos()) / 1e9;
  }

  /**
   * Adds the reading of the last tick if it is new, and records an interval when it is complete.
   */
  public void tick() {
    Optional<NodeReading> now = last.get();
    if (now.isEmpty() || now.equals(before)) {
      return;
    }
    NodeReading reading = now.get();
    double since =
        before.map(earlier -> (reading.nanos() - earlier.nanos()) / 1e9).orElse(Double.NaN);
    before = now;
    Measurement production = reading.cpu().foreground();
    Measurement bestEffort = reading.cpu().bestEffort();
    if (!(since > 0 && since <= gapSeconds) || !production.isPresent() || !bestEffort.isPresent()) {
      sums = new Sums();
      return;
    }
    sums.add(reading, production.value().getAsDouble(), bestEffort.value().getAsDouble(), since);
    if (sums.seconds >= INTERVAL_SECONDS) {
      recording.accept(sums.line(reading.nanos(), clock.millis()));
      sums = new Sums();
    }
  }
}
