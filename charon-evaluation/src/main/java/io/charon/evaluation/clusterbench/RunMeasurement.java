/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.postgres.ServiceMeasurement;
import io.charon.evaluation.statistics.Percentiles;
import java.util.List;
import java.util.Optional;

/**
 * What was measured in one run.
 *
 * @param run which one
 * @param productionSeconds durations of production's tasks, or of its steps; empty for a service
 * @param productionJobSeconds from the submission of the production job to its end; NaN for a
 *     service
 * @param service what its clients saw; empty without one
 * @param submitted best-effort jobs
 * @param completionSeconds completion times of those that ended well within the horizon
 * @param kills best-effort containers that were killed, by a killer or to make room
 * @param refused best-effort containers that were rejected or taken out of a queue
 * @param failedAttempts attempts of best-effort tasks that failed
 * @param lostWorkSeconds life of the containers of attempts that were killed or failed
 * @param memoryUtilization mean of used memory over the nodes', 0 to 1; NaN if it was not sampled
 * @param killer who takes memory back
 * @param problems what went wrong besides; empty if nothing
 */
record RunMeasurement(
    PlannedRun run,
    List<Double> productionSeconds,
    double productionJobSeconds,
    Optional<ServiceMeasurement> service,
    int submitted,
    List<Double> completionSeconds,
    long kills,
    long refused,
    int failedAttempts,
    double lostWorkSeconds,
    double memoryUtilization,
    String killer,
    List<String> problems) {
  RunMeasurement {
    productionSeconds = List.copyOf(productionSeconds);
    completionSeconds = List.copyOf(completionSeconds);
    problems = List.copyOf(problems);
  }

  /** Percentile of production's durations, seconds; NaN if there are none. */
  double productionPercentile(double percent) {
    return Percentiles.of(productionSeconds, percent).orElse(Double.NaN);
  }

  /** Percentile of the service's latency, milliseconds; NaN without a service. */
  double latencyMillis(double percent) {
    return service.map(one -> one.percentileMillis(percent)).orElse(Double.NaN);
  }

  /** Transactions of the service each second; NaN without one. */
  double throughput() {
    return service.map(ServiceMeasurement::transactionsPerSecond).orElse(Double.NaN);
  }
}
