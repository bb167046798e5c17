/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The result of one run.
 *
 * @param policy the policy
 * @param load number of submissions of each best-effort job
 * @param seed seed of all random numbers
 * @param bestEffort best-effort jobs
 * @param production production jobs
 * @param killsByCause number of killed containers by cause
 * @param moves containers that the oracle displaced for production; their tasks continued elsewhere
 * @param rejections containers that a full node rejected
 * @param handedBack containers that waited on a node for too long
 * @param lostWorkSeconds work of killed containers and failed jobs, in seconds of an undisturbed
 *     run
 * @param memoryUtilization memory in use over all memory, 0 to 1, until the last submission
 * @param usedOverRequested used over requested memory of tasks, while they ran
 * @param productionUsedOverAllocated used over requested memory of production tasks
 * @param memory memory of the cluster over time, at most 512 samples
 * @param horizonSeconds virtual time at which counting stopped at the latest
 * @param virtualSeconds virtual time at which the run ended
 * @param events number of executed events
 * @param eventChecksum checksum over all starts, ends, rejections and finished jobs, in order
 * @param partial whether the run was interrupted
 */
public record RunResult(
    Policy policy,
    int load,
    long seed,
    SideResult bestEffort,
    SideResult production,
    Map<String, Integer> killsByCause,
    int moves,
    int rejections,
    int handedBack,
    double lostWorkSeconds,
    double memoryUtilization,
    double usedOverRequested,
    double productionUsedOverAllocated,
    List<MemorySample> memory,
    double horizonSeconds,
    double virtualSeconds,
    long events,
    long eventChecksum,
    boolean partial) {
  /** Returns the number of containers killed for memory. */
  public int kills() {
    return killsByCause.values().stream().mapToInt(Integer::intValue).sum();
  }

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
