/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.colocation.ColocationTarget.Verdict;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Judges a scenario by its targets: the permitted cost of a regulator, and the work that it must
 * allow.
 */
final class ColocationTargets {
  private static final double P95_ALLOWED = 0.10;
  private static final double P95_STRETCH = 0.05;
  private static final double NETWORK_ALLOWED = 0.05;

  /** The allowed use of one CPU in percent, by number of containers. */
  private static final Map<Integer, Double> AGENT_PERCENT = Map.of(100, 1.0, 500, 1.5);

  private static final double TIMES_THE_BEST_STATIC = 1.3;

  private ColocationTargets() {}

  static List<ColocationTarget> of(ScenarioResult result) {
    List<ColocationTarget> targets = new ArrayList<>();
    for (ModeSummary summary : result.summaries()) {
      // The targets apply to the regulators; evictions and presets are only comparisons.
      if (summary.mode().kind() != ColocationMode.Kind.REGULATOR) {
        continue;
      }
      String subject = result.name() + ", " + summary.mode().name() + ": ";
      targets.add(
          within(
              subject + "foreground p95 within 10 % of alone",
              summary.p95().orElseThrow(),
              P95_ALLOWED,
              result.aaSpread()));
      targets.add(
          within(
              subject + "stretch: within 5 %",
              summary.p95().orElseThrow(),
              P95_STRETCH,
              result.aaSpread()));
      if (result.name().equals("network")) {
        targets.add(
            within(
                subject + "mean transfer time less than 5 % longer than alone",
                summary.mean().orElseThrow(),
                NETWORK_ALLOWED,
                result.aaSpreadOfMean()));
      }
      targets.add(againstStatic(subject, summary, result));
    }
    targets.addAll(PresetTargets.of(result));
    return targets;
  }

  static List<ColocationTarget> of(List<AgentCost> costs) {
    return costs.stream()
        .filter(cost -> AGENT_PERCENT.containsKey(cost.containers()))
        .map(
            cost -> {
              double allowed = AGENT_PERCENT.get(cost.containers());
              return new ColocationTarget(
                  String.format(
                      Locale.ROOT,
                      "agent at most %s %% of one CPU with %d containers",
                      NumberFormat.getInstance(Locale.ROOT).format(allowed),
                      cost.containers()),
                  String.format(Locale.ROOT, "%.2f %%", cost.cpuPercent()),
                  cost.cpuPercent() <= allowed ? Verdict.OK : Verdict.MISSED);
            })
        .toList();
  }

  /**
   * Judges a ratio that may exceed 1 by at most the allowed amount. The difference between two
   * identical runs makes a smaller target unmeasurable, but it does not excuse a larger miss.
   */
  private static ColocationTarget within(String name, double ratio, double allowed, double spread) {
    return new ColocationTarget(
        name,
        String.format(
            Locale.ROOT, "%+.1f %% (A/A spread %.1f %%)", (ratio - 1) * 100, spread * 100),
        verdict(ratio - 1, allowed, spread));
  }

  private static Verdict verdict(double excess, double allowed, double spread) {
    if (spread > allowed) {
      return excess > allowed + spread ? Verdict.MISSED : Verdict.NOT_MEASURABLE;
    }
    return excess <= allowed ? Verdict.OK : Verdict.MISSED;
  }

  /**
   * Compares with the static limit that gets the most work done at a p95 no worse than the
   * regulator's.
   */
  private static ColocationTarget againstStatic(
      String subject, ModeSummary regulated, ScenarioResult result) {
    String name =
        subject + "background work at least 1.3 times the best static limit's at the same p95";
    // A limit without measurable cost is as good as one that seems to improve the p95.
    double p95 = Math.max(1, regulated.p95().orElseThrow()) + result.aaSpread();
    Optional<ModeSummary> best =
        result.summaries().stream()
            .filter(summary -> summary.mode().isStatic())
            .filter(summary -> summary.p95().orElseThrow() <= p95)
            .max(Comparator.comparingDouble(summary -> summary.background().orElseThrow()));
    if (best.isEmpty()) {
      return new ColocationTarget(
          name,
          "no static limit that was measured keeps p95 within the A/A spread of the regulator's "
              + ratio(regulated.p95().orElseThrow()),
          Verdict.NOT_MEASURABLE);
    }
    double times = regulated.background().orElseThrow() / best.get().background().orElseThrow();
    return new ColocationTarget(
        name,
        String.format(
            Locale.ROOT,
            "%.2f times (%s of alone at p95 %s, %s %s at p95 %s)",
            times,
            ratio(regulated.background().orElseThrow()),
            ratio(regulated.p95().orElseThrow()),
            best.get().mode().name(),
            ratio(best.get().background().orElseThrow()),
            ratio(best.get().p95().orElseThrow())),
        times >= TIMES_THE_BEST_STATIC ? Verdict.OK : Verdict.MISSED);
  }

  private static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.3f", ratio);
  }
}
