/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.sharing;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A node's report: what it has measured since its last report, and up to which peak it has received
 * those of other nodes.
 *
 * @param sender distinguishes nodes, 1 to 64 letters, digits and hyphens; the node does not receive
 *     its own peaks again
 * @param run run of the ResourceManager that the node last received from; empty if none
 * @param sequence sequence number received with it, at least 0
 * @param jobs new peaks
 */
public record PeakReport(String sender, String run, long sequence, List<SharedJob> jobs) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]{1,64}");

  /** Checks the ranges. */
  public PeakReport {
    if (sender == null || !NAME.matcher(sender).matches()) {
      throw new IllegalArgumentException("sender must be 1 to 64 letters, digits and hyphens");
    }
    if (run == null || !(run.isEmpty() || NAME.matcher(run).matches()) || sequence < 0) {
      throw new IllegalArgumentException("run or sequence is out of range");
    }
    if (jobs == null || jobs.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("jobs must be a list of jobs");
    }
    jobs = List.copyOf(jobs);
  }
}
