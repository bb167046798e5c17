/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * One attempt to kill one container; times are in milliseconds. A time is empty if the event did
 * not happen or could not be observed. All times are empty if the killer did not kill the
 * container.
 *
 * @param variant the killer that was measured
 * @param megabytes size of the container
 * @param end how the attempt ended
 * @param onsetToDecision time from the moment at which the container began to thrash to the
 *     decision; empty if the container ended before that moment
 * @param decisionToLastSignal time from the decision to the last SIGKILL
 * @param decisionToGone time from the decision to the exit of the last process
 * @param release the release of its memory
 */
record KillMeasurement(
    String variant,
    int megabytes,
    End end,
    OptionalDouble onsetToDecision,
    OptionalDouble decisionToLastSignal,
    OptionalDouble decisionToGone,
    Release release) {
  /**
   * When memory and swap fell below a tenth.
   *
   * @param afterDecision time from the decision
   * @param afterSignal the paper's killing delay: time from the last SIGKILL, or from the decision
   *     if that is unknown
   * @param unseen whether they did not within two seconds of the exit of the last process, after
   *     which nobody looked: both times are lower bounds
   */
  record Release(OptionalDouble afterDecision, OptionalDouble afterSignal, boolean unseen) {}

  /** Time for which {@code kill-observer} waits for the memory after the exit. */
  private static final long OBSERVED_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How an attempt ended. */
  enum End {
    /** The killer of this variant ended the container. */
    KILLED,
    /** Linux's OOM killer acted first. */
    ENDED_BY_LINUX,
    /** The container was not killed within the timeout. */
    NOT_KILLED
  }

  /** Returns an attempt without a kill. */
  static KillMeasurement without(String variant, int megabytes, End end) {
    OptionalDouble empty = OptionalDouble.empty();
    return new KillMeasurement(
        variant, megabytes, end, empty, empty, empty, new Release(empty, empty, false));
  }

  /**
   * Returns a kill, from the times of the workload, the killer and the observer. A killer that
   * forks learns only later that its signal was sent. The time of the last signal is therefore at
   * most the time of the signal's first effect.
   *
   * @param freedNanos empty if the observer did not see it
   */
  static KillMeasurement of(
      String variant,
      int megabytes,
      OptionalLong onsetNanos,
      KillTimes times,
      long goneNanos,
      OptionalLong freedNanos) {
    long decision = times.decisionNanos();
    long freed = freedNanos.orElse(goneNanos + OBSERVED_NANOS);
    long lastSignal =
        Math.min(times.lastSignalNanos().orElse(decision), Math.min(goneNanos, freed));
    return new KillMeasurement(
        variant,
        megabytes,
        End.KILLED,
        onsetNanos.isPresent()
            ? OptionalDouble.of(millis(onsetNanos.getAsLong(), decision))
            : OptionalDouble.empty(),
        times.lastSignalNanos().isPresent()
            ? OptionalDouble.of(millis(decision, lastSignal))
            : OptionalDouble.empty(),
        OptionalDouble.of(millis(decision, goneNanos)),
        new Release(
            OptionalDouble.of(millis(decision, freed)),
            OptionalDouble.of(millis(lastSignal, freed)),
            freedNanos.isEmpty()));
  }

  OptionalDouble decisionToFreed() {
    return release.afterDecision();
  }

  OptionalDouble signalToFreed() {
    return release.afterSignal();
  }

  boolean unfreed() {
    return release.unseen();
  }

  private static double millis(long from, long to) {
    return (to - from) / 1e6;
  }
}
