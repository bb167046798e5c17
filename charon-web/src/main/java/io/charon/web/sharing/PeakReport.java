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
 * What a node tells: what it measured since it last told, and up to where it has heard of others.
 *
 * @param sender tells nodes apart, 1 to 64 letters, digits and hyphens; the node does not hear its
 *     own peaks again
 * @param run whom the node has heard; empty if nobody yet
 * @param sequence up to where, at least 0
 * @param jobs what is new
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
