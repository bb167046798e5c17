/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Results for tests of the checks, the report, the JSON and the picture. */
final class Results {
  private Results() {}

  /**
   * A run in which some jobs completed, the first after 10 s, each next one 10 s slower, and one
   * did not.
   */
  static RunResult run(DemoMode mode, int completed, double productionSeconds) {
    List<JobOutcome> jobs = new ArrayList<>();
    for (int i = 0; i < completed; i++) {
      jobs.add(new JobOutcome(order(i), JobOutcome.State.COMPLETED, 10.0 * (i + 1)));
    }
    if (mode.runsBestEffort()) {
      jobs.add(new JobOutcome(order(completed), JobOutcome.State.UNFINISHED, 0));
    }
    return new RunResult(
        mode,
        jobs,
        productionSeconds,
        30,
        List.of(),
        List.of(),
        List.of(),
        OptionalDouble.of(0.5),
        Optional.of(new ContainerCounts(12, 1, 2, 3, 4)),
        mode == DemoMode.CHARON ? "kernel 1" : "nobody",
        mode == DemoMode.CHARON ? List.of(kill(0.04, 14), kill(0.06, 20)) : List.of(),
        Optional.empty(),
        List.of(new MemorySample(0, 1L << 30, 2L << 30, 6L << 30)),
        observations());
  }

  static Observations observations() {
    return new Observations(
        new Observations.JobTimes(
            "production", "application_1_0001", -5.5, OptionalDouble.of(116.25)),
        List.of(
            new Observations.JobTimes("grep", "application_1_0002", 0.25, OptionalDouble.empty())),
        List.of(),
        List.of(
            new ContainerTrace(
                "container_1_0001_01_000002",
                "application_1_0001",
                "node1",
                ContainerTrace.Role.MAP,
                "attempt_1_0001_m_000000_0",
                -1.5,
                115,
                true,
                List.of(new ContainerTrace.Point(0.5, 100L << 20, 1.25)))),
        Optional.of(new Observations.MachineLoad(2, 119.5, 150.25, 0.5, 120.125)),
        List.of(
            new RegulatorTrace(
                "node1",
                "cpu",
                "pressure",
                "cores",
                OptionalDouble.of(0.1),
                OptionalDouble.of(0.5),
                Map.of("inside", 7),
                "applied: 0.5")));
  }

  static RunResult withOutputProblem(RunResult run) {
    return new RunResult(
        run.mode(),
        run.jobs(),
        run.productionSeconds(),
        run.productionBusySeconds(),
        run.productionProblems(),
        List.of("job-0 is not sorted"),
        run.submissionProblems(),
        run.memoryUtilization(),
        run.containers(),
        run.killer(),
        run.kills(),
        run.outgrowing(),
        run.samples(),
        run.observations());
  }

  static RunResult withOutgrowing(RunResult run, OutgrowingJob.Outcome outcome) {
    return new RunResult(
        run.mode(),
        run.jobs(),
        run.productionSeconds(),
        run.productionBusySeconds(),
        run.productionProblems(),
        run.outputProblems(),
        run.submissionProblems(),
        run.memoryUtilization(),
        run.containers(),
        run.killer(),
        run.kills(),
        Optional.of(outcome),
        run.samples(),
        run.observations());
  }

  private static Kill kill(double lastSignalMillis, double freedMillis) {
    return new Kill(
        "container_1",
        "kernel",
        OptionalDouble.of(lastSignalMillis),
        OptionalDouble.of(freedMillis));
  }

  static Map<DemoMode, ModeSummary> modes(RunResult... runs) {
    Map<DemoMode, List<RunResult>> byMode = new LinkedHashMap<>();
    for (RunResult run : runs) {
      byMode.computeIfAbsent(run.mode(), unused -> new ArrayList<>()).add(run);
    }
    Map<DemoMode, ModeSummary> modes = new LinkedHashMap<>();
    byMode.forEach((mode, all) -> modes.put(mode, new ModeSummary(mode, all)));
    return modes;
  }

  static DemoResult of(RunResult... runs) {
    WorkloadPlan plan = WorkloadPlan.of(3072, Duration.ofMinutes(2), false);
    Map<DemoMode, ModeSummary> modes = modes(runs);
    return new DemoResult(modes, plan, 1, Checks.of(modes, plan), "3.4.2", 400.1234);
  }

  private static BestEffortOrder order(int index) {
    return new BestEffortOrder(
        index, JobKind.WORDCOUNT, Duration.ofSeconds(index), List.of(Path.of("part")));
  }
}
