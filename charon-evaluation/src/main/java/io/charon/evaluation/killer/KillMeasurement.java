/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One attempt to end one container, in milliseconds. What did not happen, or could not be seen, is
 * empty; all is, if the killer did not kill.
 *
 * @param variant who had to kill
 * @param megabytes size of the container
 * @param end who ended it
 * @param onsetToDecision from the moment the container began to thrash to the decision; empty if
 *     the decision came before that
 * @param decisionToLastSignal to the last SIGKILL
 * @param decisionToGone to the end of its last process
 * @param decisionToFreed until memory and swap fell below a tenth
 * @param signalToFreed the paper's killing delay, from the last SIGKILL, or else the decision
 */
record KillMeasurement(
    String variant,
    int megabytes,
    End end,
    OptionalDouble onsetToDecision,
    OptionalDouble decisionToLastSignal,
    OptionalDouble decisionToGone,
    OptionalDouble decisionToFreed,
    OptionalDouble signalToFreed) {
  /** How an attempt ended. */
  enum End {
    /** The killer of this variant ended the container. */
    KILLED,
    /** Linux's OOM killer was there first. */
    ENDED_BY_LINUX,
    /** Nobody ended it within the time. */
    NOT_KILLED
  }

  /** An attempt without a kill. */
  static KillMeasurement without(String variant, int megabytes, End end) {
    OptionalDouble empty = OptionalDouble.empty();
    return new KillMeasurement(variant, megabytes, end, empty, empty, empty, empty, empty);
  }

  /**
   * A kill, from the times of the workload, the killer and the observer. A killer that forks learns
   * late that its signal has been sent; what the signal caused shows that it was sent before.
   */
  static KillMeasurement of(
      String variant,
      int megabytes,
      OptionalLong onsetNanos,
      KillTimes times,
      long goneNanos,
      OptionalLong freedNanos) {
    long decision = times.decisionNanos();
    long lastSignal =
        Math.min(
            times.lastSignalNanos().orElse(decision),
            Math.min(goneNanos, freedNanos.orElse(goneNanos)));
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
        millis(decision, freedNanos),
        millis(lastSignal, freedNanos));
  }

  private static OptionalDouble millis(long from, OptionalLong to) {
    return to.isPresent()
        ? OptionalDouble.of(millis(from, to.getAsLong()))
        : OptionalDouble.empty();
  }

  private static double millis(long from, long to) {
    return (to - from) / 1e6;
  }
}
