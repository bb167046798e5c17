/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import io.charon.sls.policy.Policy;
import java.util.List;
import java.util.Map;

/**
 * The result of one simulated run.
 *
 * @param completionSeconds times from submission to completion of the best-effort jobs that
 *     completed within the window
 * @param productionSeconds time from production's submission to its end
 * @param launched number of best-effort containers that started
 * @param kills killed best-effort containers, by cause
 * @param memoryUtilization mean of used memory over all memory within the window, 0 to 1
 */
record SimulatedRun(
    List<Double> completionSeconds,
    double productionSeconds,
    int launched,
    Map<String, Integer> kills,
    double memoryUtilization) {
  SimulatedRun {
    completionSeconds = List.copyOf(completionSeconds);
    kills = Map.copyOf(kills);
  }

  /** Returns the number of containers killed because memory was short. */
  int killed() {
    return kills.values().stream().mapToInt(Integer::intValue).sum() - preempted();
  }

  /** Returns the number of containers ended to make room for a reservation. */
  int preempted() {
    return kills.getOrDefault(Policy.PREEMPTION, 0);
  }
}
