/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.DemoRunResult.Problems;
import io.charon.evaluation.demo.DemoVerdict.About;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Judges a run; only the modes that ran are judged. */
final class Verdicts {
  /** Maximum relative error with which production's speed alone may be known. */
  static final double PACE = 0.03;

  private static final double SMALLEST_RESERVATION = 0.65;
  private static final double LARGEST_RESERVATION = 0.75;
  private static final double SMALLEST_TASK_USE = 0.5;
  private static final double LARGEST_TASK_USE = 0.6;
  private static final double SMALLEST_PRODUCTION_USE = 0.45;
  private static final double LARGEST_PRODUCTION_USE = 0.55;
  private static final double BUSY = 0.25;
  private static final double UNUSED = 0.15;

  /**
   * Minimum number of tasks that stock YARN completes in a window of at least 60 s, and in a
   * shorter one.
   */
  private static final int STOCK_TASKS = 6;

  private static final int STOCK_TASKS_OF_SHORT_WINDOW = 3;
  private static final int FULL_WINDOW_SECONDS = 60;

  private static final double FACTOR = 2.5;
  private static final double SHARE_OF_BOUND = 0.8;
  private static final double SLOWDOWN = 1.05;
  private static final double MEMORY_POINTS = 25;

  private final DemoResult result;
  private final WorkloadPlan plan;
  private final List<DemoVerdict> verdicts = new ArrayList<>();

  private Verdicts(DemoResult result) {
    this.result = result;
    this.plan = result.plan();
  }

  /** Returns all checks, in the order in which they are shown. */
  static List<DemoVerdict> of(DemoResult result) {
    Verdicts verdicts = new Verdicts(result);
    verdicts.judgeResults();
    verdicts.judgePace();
    verdicts.judgeShape();
    if (result.plan().kind() == WorkloadKind.MEMORY) {
      verdicts.judgeTargets();
    }
    return List.copyOf(verdicts.verdicts);
  }

  private void judgeResults() {
    noProblems("wrong results of production", Problems::production);
    noProblems("wrong results of best-effort", Problems::outputs);
    noProblems("jobs that could not be submitted", Problems::submissions);
    result
        .measurements()
        .filter(run -> run.outgrowing().isPresent())
        .forEach(this::outgrowingJobIsEndedAndCompletes);
  }

  private void noProblems(String name, Function<Problems, List<String>> problems) {
    List<String> found =
        result
            .measurements()
            .flatMap(
                run ->
                    problems.apply(run.problems()).stream()
                        .map(problem -> run.mode().label() + ": " + problem))
            .toList();
    verdicts.add(
        new DemoVerdict(
            About.RESULTS, name, found.isEmpty(), found.size(), 0, String.join("; ", found)));
  }

  private void outgrowingJobIsEndedAndCompletes(DemoRunResult run) {
    OutgrowingJob.Outcome outcome = run.outgrowing().orElseThrow();
    verdicts.add(
        new DemoVerdict(
            About.RESULTS,
            "the outgrowing task of "
                + run.mode().label()
                + " is killed, not failed, and its job completes",
            outcome.killedAttempts() > 0 && outcome.failedAttempts() == 0 && outcome.completed(),
            outcome.killedAttempts(),
            1,
            String.format(
                Locale.ROOT,
                "%d failed attempts, job %s, killed by %s",
                outcome.failedAttempts(),
                outcome.completed() ? "completed" : "not completed",
                run.nodes().kills().stream().map(Kill::by).distinct().toList())));
  }

  private void judgePace() {
    for (DemoModeSummary mode : result.modes().values()) {
      verdicts.add(
          DemoVerdict.atMost(
              About.PACE,
              "error of production's time by itself, " + mode.mode().label(),
              mode.paceError(),
              PACE));
    }
  }

  private void judgeShape() {
    between(
        "memory that production reserves",
        plan.productionReservedFraction(),
        SMALLEST_RESERVATION,
        LARGEST_RESERVATION);
    for (DemoModeSummary mode : result.modes().values()) {
      verdicts.add(
          DemoVerdict.atLeast(
              About.SHAPE,
              "production's busy share of the window, " + mode.mode().label(),
              mode.productionBusySeconds() / plan.times().window().toSeconds(),
              BUSY));
      between(
          "production's use of its reservation, " + mode.mode().label(),
          useOf(mode).productionShare(),
          SMALLEST_PRODUCTION_USE,
          LARGEST_PRODUCTION_USE);
    }
    if (plan.kind() == WorkloadKind.MEMORY) {
      judgeShapeOfTasks();
    }
  }

  private void judgeShapeOfTasks() {
    for (DemoModeSummary mode : result.modes().values()) {
      if (mode.mode().runsBestEffort()) {
        between(
            "use of their request by best-effort tasks, " + mode.mode().label(),
            useOf(mode).taskShare(),
            SMALLEST_TASK_USE,
            LARGEST_TASK_USE);
      }
    }
    DemoModeSummary stock = result.modes().get(DemoMode.STOCK_YARN);
    if (stock != null) {
      verdicts.add(
          DemoVerdict.atMost(
              About.SHAPE,
              "unreserved memory that stock YARN leaves by rounding",
              stock.unusableShare().orElse(Double.NaN),
              UNUSED));
      verdicts.add(
          DemoVerdict.atLeast(
              About.SHAPE, "tasks that stock YARN ends", stock.tasks(), leastStockTasks()));
    }
  }

  private double leastStockTasks() {
    return plan.times().window().toSeconds() >= FULL_WINDOW_SECONDS
        ? STOCK_TASKS
        : STOCK_TASKS_OF_SHORT_WINDOW;
  }

  private ContainerResourceUse useOf(DemoModeSummary mode) {
    return new ContainerResourceUse(mode.runs().get(0).observations(), plan);
  }

  private void between(String name, double measured, double smallest, double largest) {
    verdicts.add(
        new DemoVerdict(
            About.SHAPE,
            name,
            measured >= smallest && measured <= largest,
            measured,
            measured < (smallest + largest) / 2 ? smallest : largest,
            ""));
  }

  private void judgeTargets() {
    DemoModeSummary alone = result.modes().get(DemoMode.ALONE);
    DemoModeSummary stock = result.modes().get(DemoMode.STOCK_YARN);
    DemoModeSummary charon = result.modes().get(DemoMode.CHARON);
    if (stock != null && charon != null) {
      OptionalDouble bound = Bound.factor(result);
      verdicts.add(
          DemoVerdict.atLeast(
              About.TARGET,
              "Charon's verified work against stock YARN's",
              workFactor(stock, charon),
              bound.isPresent() ? Math.min(FACTOR, SHARE_OF_BOUND * bound.getAsDouble()) : FACTOR));
    }
    if (charon != null) {
      double stocks = stock == null ? 0 : stock.batchVsOwnBaseline();
      verdicts.add(
          DemoVerdict.atMost(
              About.TARGET,
              "production's median batch with Charon against by itself",
              charon.batchVsOwnBaseline(),
              Math.max(SLOWDOWN, stocks)));
    }
    if (alone != null && charon != null) {
      verdicts.add(
          DemoVerdict.atLeast(
              About.TARGET,
              "memory used with Charon, percentage points above alone",
              100
                  * (charon.memoryUtilization().orElse(Double.NaN)
                      - alone.memoryUtilization().orElse(Double.NaN)),
              MEMORY_POINTS));
    }
  }

  /**
   * Returns the smaller of the ratios of tasks and of megabytes; infinite if stock YARN did no
   * work.
   */
  static double workFactor(DemoModeSummary stock, DemoModeSummary charon) {
    return Math.min(
        charon.tasks() / stock.tasks(), charon.verifiedMegabytes() / stock.verifiedMegabytes());
  }
}
