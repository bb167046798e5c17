/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

/**
 * What became of the jobs of one side.
 *
 * @param failed how many gave up
 * @param times how long each completed job took
 */
public record SideResult(int failed, CompletionTimes times) {
  /** How many there were. */
  public int submitted() {
    return times.submitted();
  }

  /** How many completed. */
  public int completed() {
    return times.completed();
  }

  /** How many were under way at the end. */
  public int unfinished() {
    return submitted() - failed - completed();
  }

  /** Completed of submitted, 0 to 1; not a number if none was submitted. */
  public double completionRate() {
    return submitted() == 0 ? Double.NaN : (double) completed() / submitted();
  }

  /**
   * Percentile of the completion times by nearest rank, seconds; not a number if none completed.
   */
  public double percentileSeconds(int percent) {
    return Percentiles.of(times.seconds(), percent);
  }
}
