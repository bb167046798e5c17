/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How long each job of a side took, from its submission to its end, in the order of submission. The
 * only thing that a run keeps of jobs that are over: eight bytes for each.
 */
public final class CompletionTimes {
  private double[] seconds = new double[16];
  private int submitted;
  private int completed;

  /** Another job is submitted; the answer is its place. */
  int add() {
    if (submitted == seconds.length) {
      seconds = Arrays.copyOf(seconds, submitted * 2);
    }
    seconds[submitted] = Double.NaN;
    return submitted++;
  }

  /** The job of a place is completed. */
  void complete(int place, double itsSeconds) {
    seconds[place] = itsSeconds;
    completed++;
  }

  /** How many jobs were submitted. */
  public int submitted() {
    return submitted;
  }

  /** How many of them were completed. */
  public int completed() {
    return completed;
  }

  /** Seconds of the completed jobs, in the order of submission. */
  public DoubleStream seconds() {
    return Arrays.stream(seconds, 0, submitted).filter(time -> !Double.isNaN(time));
  }

  /**
   * How much longer jobs took than in another run of the same submissions; jobs that completed in
   * both, in the order of submission.
   */
  DoubleStream over(CompletionTimes other) {
    return IntStream.range(0, Math.min(submitted, other.submitted))
        .mapToDouble(place -> seconds[place] / other.seconds[place])
        .filter(ratio -> !Double.isNaN(ratio));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CompletionTimes times
        && submitted == times.submitted
        && Arrays.equals(seconds, 0, submitted, times.seconds, 0, submitted);
  }

  @Override
  public int hashCode() {
    return Integer.hashCode(submitted);
  }

  @Override
  public String toString() {
    return "%d of %d completed".formatted(completed, submitted);
  }
}
