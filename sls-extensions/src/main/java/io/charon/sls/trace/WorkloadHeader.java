/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.List;

/**
 * The first line of a workload file.
 *
 * @param nodes number of nodes that the workload is for, at least 1
 * @param node size of each node
 * @param counts content of the file
 * @param usedOverRequested achieved use of memory
 * @param load number of submissions of each best-effort job in the file, at least 1
 * @param seed seed of the drawn values
 * @param provenance origin of the jobs
 * @param rules description of the changes to the jobs, one sentence each
 */
public record WorkloadHeader(
    int nodes,
    TraceNodeSize node,
    Counts counts,
    UsedOverRequested usedOverRequested,
    int load,
    long seed,
    String provenance,
    List<String> rules) {
  /**
   * The content of a file.
   *
   * @param productionJobs number of production jobs
   * @param bestEffortJobs number of best-effort jobs
   * @param tasks number of tasks of all jobs
   */
  public record Counts(long productionJobs, long bestEffortJobs, long tasks) {
    /** Checks the ranges. */
    public Counts {
      if (productionJobs < 0 || bestEffortJobs < 0) {
        throw new IllegalArgumentException(
            "a workload has no negative number of jobs, got %d, %d"
                .formatted(productionJobs, bestEffortJobs));
      }
    }
  }

  /**
   * Used over requested memory over the undisturbed run of all tasks, before submissions are
   * repeated.
   *
   * @param all ratio of all jobs
   * @param production ratio of production alone; 0 without any
   * @param bestEffort ratio of best-effort jobs alone; 0 without any
   */
  public record UsedOverRequested(double all, double production, double bestEffort) {}

  /** Copies the rules and checks the numbers. */
  public WorkloadHeader {
    rules = List.copyOf(rules);
    if (nodes < 1 || load < 1) {
      throw new IllegalArgumentException(
          "a workload needs a node and a load of at least 1, got %d, %d".formatted(nodes, load));
    }
  }

  /** Returns the number of jobs in the file. */
  public long jobs() {
    return counts.productionJobs() + counts.bestEffortJobs();
  }
}
