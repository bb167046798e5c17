/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.sharing;

import java.util.List;
import java.util.Objects;

/**
 * The peaks that a node receives from other nodes.
 *
 * @param run changes when the ResourceManager restarts and has lost all peaks
 * @param sequence sequence number of the newest peak considered
 * @param more whether there are more already
 * @param jobs peaks that other nodes measured
 */
public record PeakNews(String run, long sequence, boolean more, List<SharedJob> jobs) {
  /** Checks that nothing is missing. */
  public PeakNews {
    if (run == null || run.isEmpty() || sequence < 0 || jobs == null) {
      throw new IllegalArgumentException("an answer needs a run, a sequence and jobs");
    }
    if (jobs.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("jobs must be a list of jobs");
    }
    jobs = List.copyOf(jobs);
  }
}
