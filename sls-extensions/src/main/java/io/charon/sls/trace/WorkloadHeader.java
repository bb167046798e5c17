/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.List;

/**
 * The first line of a workload file. The ratios are used over requested memory over the undisturbed
 * run of all tasks, before submissions are repeated.
 *
 * @param format always {@link #FORMAT}
 * @param version version of the format; readers reject versions other than {@link #VERSION}
 * @param nodes number of nodes that the workload is for
 * @param nodeMemoryBytes memory of each node
 * @param nodeCores cores of each node
 * @param productionJobs number of production jobs in the file
 * @param bestEffortJobs number of best-effort jobs in the file
 * @param tasks number of tasks of all jobs in the file
 * @param usedOverRequested ratio of all jobs
 * @param productionUsedOverRequested ratio of production alone; 0 without any
 * @param bestEffortUsedOverRequested ratio of best-effort jobs alone; 0 without any
 * @param load number of submissions of each best-effort job in the file, at least 1
 * @param seed seed of the drawn values
 * @param provenance origin of the jobs
 * @param rules description of the changes to the jobs, one sentence each
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
      throw new IllegalArgumentException("the header contains an impossible size");
    }
  }

  /** Returns the number of jobs in the file. */
  public long jobs() {
    return productionJobs + bestEffortJobs;
  }
}
