/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import static io.charon.evaluation.report.ReportNumbers.number;

import io.charon.evaluation.killer.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the result of {@code bench cluster} as a report. */
public final class ClusterReport {
  private static final List<String> HEADER =
      List.of(
          "production",
          "load",
          "mode",
          "p50",
          "p90",
          "throughput",
          "latency p50",
          "latency p99",
          "completed",
          "rate",
          "per minute",
          "tasks",
          "p50 s",
          "p95 s",
          "p99 s",
          "kills",
          "refused",
          "failed",
          "lost s",
          "memory",
          "processors",
          "of containers");

  private ClusterReport() {}

  /** Returns the report of a result. */
  public static Report of(ClusterResult result) {
    List<List<String>> rows = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    if (result.options().quick()) {
      remarks.add(
          "Quick: few jobs and short runs; a check that everything works, not a result to cite.");
    }
    remarks.addAll(explanations(result));
    remarks.addAll(demands(result));
    boolean ok = true;
    for (ProductionComparison comparison : result.comparisons()) {
      for (ClusterScenarioSummary summary : comparison.summaries()) {
        rows.add(row(summary, result.options()));
        for (ClusterRunMeasurement run : summary.runs()) {
          ok &= run.problems().isEmpty();
          run.problems().forEach(problem -> remarks.add(run.run().title() + ": " + problem));
        }
      }
      comparison
          .aaSpread()
          .ifPresent(
              spread ->
                  remarks.add(
                      String.format(
                          Locale.ROOT,
                          "%s: A/A spread (alone against alone) of %s %.1f %%%s.",
                          comparison.production().label(),
                          comparison.production() == ProductionKind.SERVICE ? "throughput" : "p90",
                          spread * 100,
                          comparison.aaSpreadOfServiceP99().isPresent()
                              ? String.format(
                                  Locale.ROOT,
                                  ", of latency p99 %.1f %%",
                                  comparison.aaSpreadOfServiceP99().getAsDouble() * 100)
                              : "")));
    }
    remarks.addAll(result.missing());
    remarks.add("");
    result.targets().forEach(target -> remarks.add(target.line()));
    return new Report(HEADER, rows, remarks, ClusterBenchJson.of(result), ok);
  }

  private static List<String> explanations(ClusterResult result) {
    ClusterOptions options = result.options();
    return List.of(
        String.format(
            Locale.ROOT,
            "%d nodes of %d MiB, swap on zram in all modes, no cpusets; production reserves %.0f %%"
                + " of what the NodeManagers offer; placement %s; horizon %d s, submissions in its"
                + " first two thirds; %d repetition%s.",
            ClusterPlan.NODES,
            ClusterPlan.NODE_MEMORY_MB,
            ClusterPlan.productionReservedShare() * 100,
            options.placement().label(),
            options.horizon().toSeconds(),
            options.repetitions(),
            options.repetitions() == 1 ? "" : "s"),
        "p50, p90: durations of production's tasks or steps, throughput and latency of the service,"
            + " all as ratios to production alone. completed: best-effort jobs within the horizon;"
            + " p50 s to p99 s: their completion times. tasks (completed), kills, refused (rejected"
            + " or taken out of a queue), failed (attempts), lost: of all repetitions. processors:"
            + " busy ones of the machine, and of these the containers'.",
        String.format(
            Locale.ROOT,
            "Hadoop %s, Linux %s, %d CPUs; %.0f s.",
            result.hadoop(),
            result.kernel(),
            result.processors(),
            result.seconds()));
  }

  /** Returns how short of memory the nodes are at each load, as far as that is known. */
  private static List<String> demands(ClusterResult result) {
    ClusterOptions options = result.options();
    if (options.bestEffort() != BestEffortKind.TASKS) {
      return List.of();
    }
    ClusterPlan plan = new ClusterPlan(options.horizon());
    List<String> demands = new ArrayList<>();
    for (int load : options.loads()) {
      demands.add(
          String.format(
              Locale.ROOT,
              "X%d: all tasks together would use %.0f %% of the nodes' memory over the horizon,"
                  + " beside what production alone uses.",
              load,
              plan.taskDemand(load) * 100));
    }
    return demands;
  }

  private static List<String> row(ClusterScenarioSummary summary, ClusterOptions options) {
    boolean bestEffort = summary.mode().runsBestEffort();
    double minutes = summary.runs().size() * options.horizon().toSeconds() / 60.0;
    return List.of(
        summary.production().label(),
        summary.load() == 0 ? "-" : "X" + summary.load(),
        summary.mode().label(),
        number("%.3f", summary.ratios().p50()),
        number("%.3f", summary.ratios().p90()),
        number("%.3f", summary.ratios().throughput()),
        number("%.2f", summary.ratios().latencyP50()),
        number("%.2f", summary.ratios().latencyP99()),
        bestEffort ? summary.completed() + " of " + summary.submitted() : "-",
        number("%.2f", summary.completionRate()),
        bestEffort ? String.format(Locale.ROOT, "%.1f", summary.completed() / minutes) : "-",
        bestEffort ? Long.toString(summary.sum(jobs -> jobs.outcome().tasks())) : "-",
        number("%.0f", summary.completionSeconds(50)),
        number("%.0f", summary.completionSeconds(95)),
        number("%.0f", summary.completionSeconds(99)),
        bestEffort ? Long.toString(summary.sum(BestEffortMeasurement::kills)) : "-",
        bestEffort ? Long.toString(summary.sum(BestEffortMeasurement::refused)) : "-",
        bestEffort ? Long.toString(summary.sum(jobs -> jobs.outcome().failedAttempts())) : "-",
        bestEffort ? String.format(Locale.ROOT, "%.0f", summary.lostWorkSeconds()) : "-",
        number("%.2f", summary.median(run -> run.nodes().memoryUtilization())),
        number("%.2f", summary.median(run -> run.nodes().processors())),
        number("%.2f", summary.median(run -> run.nodes().containerProcessors())));
  }
}
