/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.Map;

/**
 * What became of the jobs of one side.
 *
 * @param submitted how many there were
 * @param failed how many gave up
 * @param completionSeconds of each completed job, from submission to the end, by job id
 */
public record SideResult(int submitted, int failed, Map<String, Double> completionSeconds) {
  /** How many completed. */
  public int completed() {
    return completionSeconds.size();
  }

  /** How many were under way at the end. */
  public int unfinished() {
    return submitted - failed - completed();
  }

  /** Completed of submitted, 0 to 1; not a number if none was submitted. */
  public double completionRate() {
    return submitted == 0 ? Double.NaN : (double) completed() / submitted;
  }

  /**
   * Percentile of the completion times by nearest rank, seconds; not a number if none completed.
   */
  public double percentileSeconds(int percent) {
    return Percentiles.of(completionSeconds.values(), percent);
  }
}
