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
 * The completion time of each job of a side, from its submission to its end, in the order of
 * submission. Of ended jobs a run keeps only this, eight bytes for each.
 */
public final class CompletionTimes {
  private double[] seconds = new double[16];
  private int submitted;
  private int completed;

  /** Adds a submitted job and returns its index. */
  int add() {
    if (submitted == seconds.length) {
      seconds = Arrays.copyOf(seconds, submitted * 2);
    }
    seconds[submitted] = Double.NaN;
    return submitted++;
  }

  /** Records the completion of the job with the given index. */
  void complete(int place, double itsSeconds) {
    seconds[place] = itsSeconds;
    completed++;
  }

  /** Returns the number of submitted jobs. */
  public int submitted() {
    return submitted;
  }

  /** Returns the number of completed jobs. */
  public int completed() {
    return completed;
  }

  /** Returns the completion times of the completed jobs in seconds, in the order of submission. */
  public DoubleStream seconds() {
    return Arrays.stream(seconds, 0, submitted).filter(time -> !Double.isNaN(time));
  }

  /**
   * Returns the ratios of the completion times to those of another run with the same submissions,
   * for the jobs that completed in both, in the order of submission.
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
