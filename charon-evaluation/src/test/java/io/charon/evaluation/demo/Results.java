/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.ContainerTrace.ContainerAddress;
import io.charon.evaluation.demo.DemoRunResult.MemorySample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Creates results of the demo for tests. */
final class Results {
  static final WorkloadPlan PLAN =
      WorkloadPlan.of(
          WorkloadKind.MEMORY,
          2560,
          WorkloadTimes.usual(Duration.ofSeconds(15), Duration.ofSeconds(60)),
          false);

  static final RunConditions CONDITIONS =
      new RunConditions(
          PLAN,
          List.of(DemoMode.ALONE, DemoMode.STOCK_YARN, DemoMode.CHARON),
          new DemoOptions.Input(Optional.empty(), 64),
          "3.4.2",
          true,
          true);

  private static final long MEBIBYTE = 1 << 20;
  private static final double BASELINE = 0.1;

  private Results() {}

  /**
   * Returns a run in which tasks completed and production was as fast as alone.
   *
   * @param tasks number of completed tasks, each a job of its own; the first took 10 s, each
   *     further one 1 s longer; one more task did not complete
   */
  static DemoRunResult run(DemoMode mode, int tasks) {
    return run(mode, tasks, BASELINE, BASELINE);
  }

  /**
   * Returns a run with a given speed of production.
   *
   * @param aloneSeconds duration of each batch before and after the window
   * @param batchSeconds duration of each batch of the window
   */
  static DemoRunResult run(DemoMode mode, int tasks, double aloneSeconds, double batchSeconds) {
    return run(mode, tasks, aloneSeconds, batchSeconds, aloneSeconds);
  }

  /**
   * Returns a run on a machine that changed its pace.
   *
   * @param beforeSeconds duration of each batch before the window
   * @param batchSeconds duration of each batch of the window
   * @param afterSeconds duration of each batch after the window
   */
  static DemoRunResult run(
      DemoMode mode, int tasks, double beforeSeconds, double batchSeconds, double afterSeconds) {
    List<JobOutcome> jobs = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      jobs.add(
          new JobOutcome(JobOutcome.State.COMPLETED, 10.0 + i, new JobOutcome.Work(1, 40_000_000)));
    }
    if (mode.runsBestEffort()) {
      jobs.add(new JobOutcome(JobOutcome.State.UNFINISHED, 60, JobOutcome.Work.NONE));
    }
    return new DemoRunResult(
        mode,
        jobs,
        new ProductionTimes(
            80,
            20,
            Collections.nCopies(100, beforeSeconds),
            Collections.nCopies(300, batchSeconds),
            Collections.nCopies(100, afterSeconds)),
        new DemoRunResult.Problems(List.of(), List.of(), List.of()),
        new DemoRunResult.Memory(
            OptionalDouble.of(mode == DemoMode.CHARON ? 0.7 : 0.4),
            slots(),
            List.of(new MemorySample(0, 1L << 30, 2L << 30, 6L << 30))),
        new DemoRunResult.NodeReport(
            Optional.of(new ContainerCounts(12, 1, 2, 3, 4)),
            mode == DemoMode.CHARON ? "kernel 1" : "nobody",
            mode == DemoMode.CHARON ? List.of(kill(0.04, 14), kill(0.06, 20)) : List.of()),
        Optional.empty(),
        observations());
  }

  /** Returns slots with room for three tasks on each node, and a little more. */
  private static ReservableSlots slots() {
    ReservableSlots slots = new ReservableSlots(PLAN);
    long reserved = (PLAN.nodeManagerMemoryMb() - 3 * PLAN.bestEffortTaskMb() - 8) * MEBIBYTE;
    slots.add(
        List.of(
            new NodeSampler.NodeMemory("node1", 0, reserved, 0),
            new NodeSampler.NodeMemory("node2", 0, reserved, 0)));
    return slots;
  }

  static Observations observations() {
    return new Observations(
        new Observations.JobTimes(
            "production", "application_1_0001", -5.5, OptionalDouble.of(116.25)),
        List.of(
            new Observations.JobTimes("grep", "application_1_0002", 0.25, OptionalDouble.empty())),
        List.of(),
        List.of(
            container(
                "application_1_0001", ContainerTrace.Role.MAP, PLAN.productionTaskMb(), -10, 80),
            container("application_1_0002", ContainerTrace.Role.TASK, 123, 0, 15)),
        Optional.of(new MachineLoad(2, 60, 75, 0, 60)),
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

  private static ContainerTrace container(
      String application, ContainerTrace.Role role, int megabytes, double start, double end) {
    return new ContainerTrace(
        new ContainerAddress(
            application.replace("application", "container") + "_01_000002", application, "node1"),
        role,
        "",
        start,
        end,
        true,
        List.of(new ContainerTrace.Point(7.5, megabytes * MEBIBYTE, 1.25)));
  }

  static DemoRunResult withOutputProblem(DemoRunResult run) {
    return with(
        run,
        new DemoRunResult.Problems(List.of(), List.of("sort 0 found nothing"), List.of()),
        run.outgrowing());
  }

  static DemoRunResult withOutgrowing(DemoRunResult run, OutgrowingJob.Outcome outcome) {
    return with(run, run.problems(), Optional.of(outcome));
  }

  private static DemoRunResult with(
      DemoRunResult run,
      DemoRunResult.Problems problems,
      Optional<OutgrowingJob.Outcome> outgrowing) {
    return new DemoRunResult(
        run.mode(),
        run.jobs(),
        run.production(),
        problems,
        run.memory(),
        run.nodes(),
        outgrowing,
        run.observations());
  }

  private static Kill kill(double lastSignalMillis, double freedMillis) {
    return new Kill(
        "container_1",
        "kernel",
        OptionalDouble.of(lastSignalMillis),
        OptionalDouble.of(freedMillis));
  }

  static DemoResult of(DemoRunResult... runs) {
    Map<DemoMode, DemoModeSummary> modes = new LinkedHashMap<>();
    for (DemoRunResult run : runs) {
      modes.put(run.mode(), DemoModeSummary.of(run));
    }
    return new DemoResult(modes, List.of(), PLAN, "3.4.2", "default", 400.1234);
  }
}
