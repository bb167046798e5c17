/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.List;

/**
 * First line of a workload file. The ratios are memory used over memory requested, over the
 * undisturbed run of all tasks, before submissions are repeated.
 *
 * @param format always {@link #FORMAT}
 * @param version of the format; readers refuse others than {@link #VERSION}
 * @param nodes how many nodes the workload is for
 * @param nodeMemoryBytes memory of each
 * @param nodeCores cores of each
 * @param productionJobs how many follow
 * @param bestEffortJobs how many follow
 * @param tasks of all jobs that follow
 * @param usedOverRequested of all
 * @param productionUsedOverRequested of production alone; 0 without any
 * @param bestEffortUsedOverRequested of best-effort jobs alone; 0 without any
 * @param load how often each best-effort submission stands here, at least 1
 * @param seed of what was drawn
 * @param provenance where the jobs come from
 * @param rules what was done to them, a sentence each
 */
public record WorkloadHeader(
    String format,
    int version,
    int nodes,
    long nodeMemoryBytes,
    int nodeCores,
    long productionJobs,
    long bestEffortJobs,
    long tasks,
    double usedOverRequested,
    double productionUsedOverRequested,
    double bestEffortUsedOverRequested,
    int load,
    long seed,
    String provenance,
    List<String> rules) {
  /** Name of the format. */
  public static final String FORMAT = "charon-workload";

  /** Version of the format that this class describes. */
  public static final int VERSION = 1;

  /** Copies the rules and checks the numbers. */
  public WorkloadHeader {
    rules = List.copyOf(rules);
    if (nodes < 1
        || nodeMemoryBytes < 1
        || nodeCores < 1
        || productionJobs < 0
        || bestEffortJobs < 0
        || load < 1) {
      throw new IllegalArgumentException("the header holds a size that is not possible");
    }
  }

  /** How many jobs follow. */
  public long jobs() {
    return productionJobs + bestEffortJobs;
  }
}
