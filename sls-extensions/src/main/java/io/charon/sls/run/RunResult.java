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
 * What came of one run.
 *
 * @param policy who started and who died
 * @param load how often each best-effort job was submitted
 * @param seed of all randomness
 * @param bestEffort best-effort jobs
 * @param production production jobs
 * @param killsByCause killed containers
 * @param moves containers whose memory a bound gave to production; their tasks went on elsewhere
 * @param rejections containers that a full node turned away
 * @param handedBack containers that waited on a node for too long
 * @param lostWorkSeconds work of killed containers and failed jobs, seconds of undisturbed run
 * @param memoryUtilization memory in use over all memory, 0 to 1, until the last submission
 * @param usedOverRequested memory that tasks used over what they asked for, while they ran
 * @param productionUsedOverAllocated the same of production
 * @param memory of the cluster over time, at most 512 samples
 * @param horizonSeconds when counting stopped at the latest, virtual
 * @param virtualSeconds when the run ended, virtual
 * @param events that ran
 * @param eventChecksum over all starts, ends, rejections and finished jobs, in order
 * @param partial whether it was interrupted
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
  /** How many containers were killed for memory. */
  public int kills() {
    return killsByCause.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * How much longer production jobs took than in another run: every job that completed in both.
   *
   * @param alone production-alone of the same seed
   */
  public DoubleStream productionSlowdowns(RunResult alone) {
    return production.times().over(alone.production.times());
  }
}
