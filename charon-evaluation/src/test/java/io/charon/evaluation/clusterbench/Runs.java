/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.postgres.ServiceMeasurement;
import io.charon.evaluation.postgres.Transaction;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Creates measurements for tests. */
final class Runs {
  private Runs() {}

  static ClusterRunMeasurement batch(
      ClusterMode mode, int load, int repetition, double taskSeconds, int completed) {
    return new ClusterRunMeasurement(
        new PlannedRun(ProductionKind.BATCH, mode, load, repetition),
        List.of(taskSeconds * 0.9, taskSeconds, taskSeconds * 1.5),
        taskSeconds * 3,
        Optional.empty(),
        new BestEffortMeasurement(
            load * 5,
            new BestEffortOutcome(Collections.nCopies(completed, 40.0), completed * 3, 1, 12.5),
            load,
            0),
        new ClusterUse(0.5, 1.2, 0.7, "-"),
        List.of());
  }

  /** Returns the same run with a production job that failed, so that it measured no durations. */
  static ClusterRunMeasurement failed(ClusterRunMeasurement run) {
    return new ClusterRunMeasurement(
        run.run(),
        List.of(),
        Double.NaN,
        run.service(),
        run.bestEffort(),
        run.nodes(),
        List.of(ClusterRunMeasurement.PRODUCTION_FAILED));
  }

  /** Returns the same run with another killer in charge. */
  static ClusterRunMeasurement withKiller(ClusterRunMeasurement run, String killer) {
    return new ClusterRunMeasurement(
        run.run(),
        run.productionSeconds(),
        run.productionJobSeconds(),
        run.service(),
        run.bestEffort(),
        new ClusterUse(0.5, 1.2, 0.7, killer),
        run.problems());
  }

  static ClusterRunMeasurement service(
      ClusterMode mode, int load, double perSecond, double millis) {
    return new ClusterRunMeasurement(
        new PlannedRun(ProductionKind.SERVICE, mode, load, 0),
        List.of(),
        Double.NaN,
        Optional.of(
            new ServiceMeasurement(
                perSecond, List.of(due(0, millis), due(5, millis), due(10, millis * 2)), 0)),
        new BestEffortMeasurement(load * 5, new BestEffortOutcome(List.of(), 0, 0, 0), 0, 0),
        new ClusterUse(Double.NaN, Double.NaN, Double.NaN, "kernel 1"),
        List.of());
  }

  /** Returns a transaction that was due at a time. */
  private static Transaction due(long seconds, double millis) {
    long micros = Math.round(millis * 1_000);
    return new Transaction(seconds * 1_000_000 + micros, micros);
  }

  static ClusterResult result(ClusterRunMeasurement... runs) {
    return new ClusterResult(
        new ClusterOptions(
            Arrays.stream(runs).map(run -> run.run().production()).distinct().toList(),
            List.of(ClusterMode.STOCK_YARN, ClusterMode.THRESHOLD, ClusterMode.CHARON),
            List.of(3),
            BestEffortKind.MAPREDUCE,
            BestEffortPlacement.CENTRALIZED,
            1,
            Duration.ofMinutes(2),
            false),
        List.of(runs),
        List.of("no <swap>"),
        "3.4.2",
        "6.1",
        2,
        900);
  }
}
