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
 * The measurements of one run.
 *
 * @param run the run
 * @param productionSeconds durations of production's tasks or steps; empty for a service
 * @param productionJobSeconds from the submission of the production job to its end; NaN for a
 *     service
 * @param service measurements of the service's clients; empty without a service
 * @param bestEffort the best-effort side
 * @param nodes use of the nodes and of the machine
 * @param problems other problems; empty if there were none
 */
record ClusterRunMeasurement(
    PlannedRun run,
    List<Double> productionSeconds,
    double productionJobSeconds,
    Optional<ServiceMeasurement> service,
    BestEffortMeasurement bestEffort,
    ClusterUse nodes,
    List<String> problems) {
  /** The problem of a run in which the production job failed. */
  static final String PRODUCTION_FAILED = "the production job failed";

  ClusterRunMeasurement {
    productionSeconds = List.copyOf(productionSeconds);
    problems = List.copyOf(problems);
  }

  boolean productionFailed() {
    return problems.contains(PRODUCTION_FAILED);
  }

  /** Returns the percentile of production's durations, seconds; NaN if there are none. */
  double productionPercentile(double percent) {
    return Percentiles.of(productionSeconds, percent).orElse(Double.NaN);
  }

  /** Returns the percentile of the service's latency, milliseconds; NaN without a service. */
  double latencyMillis(double percent) {
    return service.map(one -> one.percentileMillis(percent)).orElse(Double.NaN);
  }

  /** Returns the transactions of the service per second; NaN without a service. */
  double throughput() {
    return service.map(ServiceMeasurement::transactionsPerSecond).orElse(Double.NaN);
  }
}
