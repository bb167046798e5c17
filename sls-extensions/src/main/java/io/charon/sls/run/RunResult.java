/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.policy.Policy;
import java.util.List;
import java.util.Map;

/**
 * What came of one run.
 *
 * @param policy who started and who died
 * @param load how often each best-effort job was submitted
 * @param seed of all randomness
 * @param bestEffort best-effort jobs
 * @param production production jobs
 * @param killsByCause killed containers
 * @param rejections containers that a full node turned away
 * @param lostWorkSeconds work of killed containers and failed jobs, seconds of undisturbed run
 * @param memoryUtilization memory in use over all memory, 0 to 1, until the last submission
 * @param usedOverRequested memory that tasks used over what they asked for, while they ran
 * @param productionUsedOverAllocated the same of production
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
    int rejections,
    double lostWorkSeconds,
    double memoryUtilization,
    double usedOverRequested,
    double productionUsedOverAllocated,
    double horizonSeconds,
    double virtualSeconds,
    long events,
    long eventChecksum,
    boolean partial) {
  /**
   * How much longer production jobs took than in another run: a percentile over the jobs that
   * completed in both.
   *
   * @param alone production-alone of the same seed
   * @param percent 1 to 100
   */
  public double productionSlowdown(RunResult alone, int percent) {
    List<Double> slowdowns =
        production.completionSeconds().entrySet().stream()
            .filter(job -> alone.production.completionSeconds().containsKey(job.getKey()))
            .map(job -> job.getValue() / alone.production.completionSeconds().get(job.getKey()))
            .toList();
    return Percentiles.of(slowdowns, percent);
  }
}
