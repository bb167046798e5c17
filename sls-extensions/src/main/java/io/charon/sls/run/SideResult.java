/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

/**
 * The result of the jobs of one side.
 *
 * @param failed number of failed jobs
 * @param times completion times of the submitted jobs
 */
public record SideResult(int failed, CompletionTimes times) {
  /** Returns the number of submitted jobs. */
  public int submitted() {
    return times.submitted();
  }

  /** Returns the number of completed jobs. */
  public int completed() {
    return times.completed();
  }

  /** Returns the number of jobs that were running or waiting at the end. */
  public int unfinished() {
    return submitted() - failed - completed();
  }

  /**
   * Returns the share of the submitted jobs that completed, 0 to 1; not a number if none was
   * submitted.
   */
  public double completionRate() {
    return submitted() == 0 ? Double.NaN : (double) completed() / submitted();
  }

  /**
   * Returns a percentile of the completion times by nearest rank, in seconds; not a number if no
   * job completed.
   */
  public double percentileSeconds(int percent) {
    return NearestRankPercentiles.of(times.seconds(), percent);
  }
}
