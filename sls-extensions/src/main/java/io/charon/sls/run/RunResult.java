/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The result of one run.
 *
 * @param settings settings of the run
 * @param bestEffort best-effort jobs
 * @param production production jobs
 * @param disruptions containers that did not run to their end where they were placed
 * @param memory use of the cluster's memory
 * @param execution the simulation itself
 */
public record RunResult(
    RunSettings settings,
    SideResult bestEffort,
    SideResult production,
    Disruptions disruptions,
    MemoryResult memory,
    Execution execution) {
  /**
   * How a run used the cluster's memory.
   *
   * @param utilization memory in use over all memory, 0 to 1, until the last submission
   * @param usedOverRequested used over requested memory of tasks, while they ran
   * @param productionUsedOverAllocated used over requested memory of production tasks
   * @param samples memory of the cluster over time, at most 512 samples
   */
  public record MemoryResult(
      double utilization,
      double usedOverRequested,
      double productionUsedOverAllocated,
      List<MemorySample> samples) {}

  /**
   * The simulation of a run: how far it went and which events it executed.
   *
   * @param horizonSeconds virtual time at which counting stopped at the latest
   * @param virtualSeconds virtual time at which the run ended
   * @param events number of executed events
   * @param eventChecksum checksum over all starts, ends, rejections and finished jobs, in order
   * @param partial whether the run was interrupted
   */
  public record Execution(
      double horizonSeconds,
      double virtualSeconds,
      long events,
      long eventChecksum,
      boolean partial) {}

  /**
   * Returns the slowdown of production jobs relative to another run, for every job that completed
   * in both.
   *
   * @param alone production alone with the same seed
   */
  public DoubleStream productionSlowdowns(RunResult alone) {
    return production.times().over(alone.production.times());
  }
}
