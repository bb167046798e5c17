/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Judges the results; only what was run is judged. */
final class Checks {
  /**
   * Best-effort jobs that stock YARN must complete: 3 in the demo's own window, fewer in a shorter
   * one, at least 1.
   */
  private static final int MERCURY_JOBS = 3;

  private static final int FULL_WINDOW_SECONDS = 120;
  private static final double CHARON_FACTOR = 1.5;
  private static final double PRODUCTION_SLOWDOWN = 0.10;

  private Checks() {}

  /** All checks, in the order they are shown. */
  static List<Check> of(Map<DemoMode, ModeSummary> modes, WorkloadPlan plan) {
    List<Check> checks = new ArrayList<>();
    double reserved = plan.productionReservedFraction();
    checks.add(
        new Check(
            "production reserves 65-75 % of memory",
            reserved >= 0.65 && reserved <= 0.75,
            format("%.0f %% of %d MiB", reserved * 100, plan.clusterMb())));
    ModeSummary alone = modes.get(DemoMode.ALONE);
    ModeSummary mercury = modes.get(DemoMode.MERCURY);
    ModeSummary charon = modes.get(DemoMode.CHARON);
    if (mercury != null) {
      long least = Math.max(1, MERCURY_JOBS * plan.window().toSeconds() / FULL_WINDOW_SECONDS);
      checks.add(
          new Check(
              "mercury completes at least " + least + (least == 1 ? " job" : " jobs"),
              mercury.completed() >= least,
              format("%.0f", mercury.completed())));
    }
    if (mercury != null && charon != null) {
      checks.add(
          new Check(
              format("charon completes at least %.1fx as many", CHARON_FACTOR),
              charon.completed() >= CHARON_FACTOR * mercury.completed(),
              format("%.0f against %.0f", charon.completed(), mercury.completed())));
    }
    if (alone != null && charon != null) {
      checks.add(productionKeepsItsSpeed(alone, charon));
    }
    modes.values().stream()
        .flatMap(mode -> mode.runs().stream())
        .filter(run -> run.outgrowing().isPresent())
        .forEach(run -> checks.add(outgrowingJobIsEndedAndCompletes(run)));
    checks.add(noProblems("production results are right", modes, RunResult::productionProblems));
    checks.add(noProblems("best-effort outputs are right", modes, RunResult::outputProblems));
    checks.add(noProblems("every job could be submitted", modes, RunResult::submissionProblems));
    return checks;
  }

  private static Check productionKeepsItsSpeed(ModeSummary alone, ModeSummary charon) {
    double change = charon.productionSeconds() / alone.productionSeconds() - 1;
    return new Check(
        "production with charon within 10 % of alone",
        change <= PRODUCTION_SLOWDOWN,
        format(
            "%.1f s against %.1f s: %+.1f %%%s",
            charon.productionSeconds(),
            alone.productionSeconds(),
            change * 100,
            alone.runs().size() > 1
                ? format(", alone against alone %.1f %%", alone.productionSpread() * 100)
                : ""));
  }

  private static Check outgrowingJobIsEndedAndCompletes(RunResult run) {
    OutgrowingJob.Outcome outcome = run.outgrowing().orElseThrow();
    return new Check(
        "the outgrowing task of "
            + run.mode().label()
            + " is killed, not failed, and its job completes",
        outcome.killedAttempts() > 0 && outcome.failedAttempts() == 0 && outcome.completed(),
        format(
            "%d killed and %d failed attempts, job %s, killed by %s",
            outcome.killedAttempts(),
            outcome.failedAttempts(),
            outcome.completed() ? "completed" : "not completed",
            run.kills().stream().map(Kill::by).distinct().toList()));
  }

  private static Check noProblems(
      String name, Map<DemoMode, ModeSummary> modes, Function<RunResult, List<String>> problems) {
    List<String> found =
        modes.values().stream()
            .flatMap(mode -> mode.runs().stream())
            .flatMap(
                run ->
                    problems.apply(run).stream()
                        .map(problem -> run.mode().label() + ": " + problem))
            .toList();
    return new Check(name, found.isEmpty(), found.isEmpty() ? "all" : String.join("; ", found));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
