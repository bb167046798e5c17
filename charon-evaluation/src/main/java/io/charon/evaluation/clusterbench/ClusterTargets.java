/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Judges Charon by its cost for production and by the best-effort work that it completes. */
final class ClusterTargets {
  /** A slower production than this is seen only if production alone varies less. */
  private static final double ALLOWED = 0.02;

  /**
   * A target for Charon.
   *
   * @param name name of the target
   * @param measured the measured value as text
   * @param met whether the target was met; false if there is nothing to compare
   */
  record ClusterTarget(String name, String measured, boolean met) {
    /** Returns the target and its result as one line of text. */
    String line() {
      return String.format("%-8s%s: %s", met ? "ok" : "MISSED", name, measured);
    }
  }

  /** Text of the target for the durations of production's tasks or steps. */
  private static final String DURATIONS =
      "production p90 within 2 % of alone, A/A spread at most 2 %";

  private static final double P99_ALLOWED = 1.1;
  private static final int HEAVY_LOAD = 3;

  /** Required ratio of completion rates: 76 % to 23 % (paper, section 5.3). */
  private static final double TIMES_STOCK_YARN = 3.3;

  private ClusterTargets() {}

  /**
   * What best-effort completed.
   *
   * @param unit jobs, or tasks of {@link BestEffortKind#TASKS}, of which a job has so many that few
   *     jobs end within the horizon
   */
  private record Completed(String unit, long completed, long submitted) {
    static Completed of(ClusterScenarioSummary summary, BestEffortKind kind) {
      return switch (kind) {
        case MAPREDUCE -> new Completed("jobs", summary.completed(), summary.submitted());
        case TASKS ->
            new Completed(
                "tasks",
                summary.sum(jobs -> jobs.outcome().tasks()),
                (long) summary.submitted() * ClusterPlan.TASKS_OF_A_JOB);
      };
    }

    double rate() {
      return submitted == 0 ? 0 : (double) completed / submitted;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%.0f %% (%d of %d %s)", rate() * 100, completed, submitted, unit);
    }
  }

  static List<ClusterTarget> of(ProductionComparison comparison, BestEffortKind kind) {
    List<ClusterTarget> targets = new ArrayList<>();
    List<ClusterScenarioSummary> summaries = comparison.summaries();
    for (ClusterScenarioSummary summary : summaries) {
      if (summary.mode() == ClusterMode.CHARON) {
        production(comparison, summary, targets);
        if (summary.load() == HEAVY_LOAD && summary.production() == ProductionKind.BATCH) {
          against(ClusterMode.STOCK_YARN, summary, summaries, kind).ifPresent(targets::add);
          against(ClusterMode.THRESHOLD, summary, summaries, kind).ifPresent(targets::add);
        }
      }
    }
    return targets;
  }

  private static void production(
      ProductionComparison comparison,
      ClusterScenarioSummary summary,
      List<ClusterTarget> targets) {
    String subject = subject(summary);
    double spread = comparison.aaSpread().orElse(0);
    boolean canTell = spread <= ALLOWED;
    Optional<String> failure = failure(comparison, summary);
    if (failure.isPresent()) {
      targets.add(new ClusterTarget(subject + DURATIONS, failure.get(), false));
    } else {
      summary
          .ratios()
          .p90()
          .ifPresent(
              ratio ->
                  targets.add(
                      new ClusterTarget(
                          subject + DURATIONS,
                          percent(ratio - 1, spread),
                          canTell && ratio - 1 <= ALLOWED)));
    }
    summary
        .ratios()
        .throughput()
        .ifPresent(
            ratio ->
                targets.add(
                    new ClusterTarget(
                        subject + "throughput within 2 % of alone, A/A spread at most 2 %",
                        percent(ratio - 1, spread),
                        canTell && 1 - ratio <= ALLOWED)));
    summary
        .ratios()
        .latencyP99()
        .ifPresent(
            ratio ->
                targets.add(
                    new ClusterTarget(
                        subject + "service p99 at most 1.1 times alone",
                        String.format(
                            Locale.ROOT,
                            "%.2f times (A/A spread %.1f %%)",
                            ratio,
                            comparison.aaSpreadOfServiceP99().orElse(0) * 100),
                        ratio <= P99_ALLOWED)));
    summary
        .latencyP99VsStockYarn()
        .ifPresent(
            ratio ->
                targets.add(
                    new ClusterTarget(
                        subject + "service p99 not above stock-yarn's (upper 95 % bound)",
                        String.format(
                            Locale.ROOT,
                            "%.2f times (%.2f to %.2f)",
                            ratio.ratio(),
                            ratio.low95(),
                            ratio.high95()),
                        ratio.high95() <= 1)));
  }

  /** Returns why durations were not measured in each repetition; empty if they were. */
  private static Optional<String> failure(
      ProductionComparison comparison, ClusterScenarioSummary summary) {
    if (summary.production() == ProductionKind.SERVICE) {
      return Optional.empty();
    }
    if (summary.runs().stream().anyMatch(ClusterRunMeasurement::productionFailed)) {
      return Optional.of("not measured: production failed");
    }
    return comparison.aloneFailed()
        ? Optional.of("not measured: production alone failed")
        : Optional.empty();
  }

  private static Optional<ClusterTarget> against(
      ClusterMode mode,
      ClusterScenarioSummary charon,
      List<ClusterScenarioSummary> summaries,
      BestEffortKind kind) {
    return summaries.stream()
        .filter(summary -> summary.mode() == mode && summary.load() == charon.load())
        .findFirst()
        .map(other -> against(mode, charon, Completed.of(other, kind), kind));
  }

  private static ClusterTarget against(
      ClusterMode mode, ClusterScenarioSummary charon, Completed theirs, BestEffortKind kind) {
    Completed own = Completed.of(charon, kind);
    boolean stockYarn = mode == ClusterMode.STOCK_YARN;
    return new ClusterTarget(
        subject(charon)
            + (stockYarn
                ? "completion rate at least 3.3 times stock-yarn's"
                : "completion rate above threshold's"),
        own
            + " against "
            + theirs
            + (theirs.rate() > 0
                ? String.format(Locale.ROOT, ": %.2f times", own.rate() / theirs.rate())
                : ""),
        own.rate() > 0
            && (stockYarn
                ? own.rate() >= TIMES_STOCK_YARN * theirs.rate()
                : own.rate() > theirs.rate()));
  }

  private static String subject(ClusterScenarioSummary summary) {
    return summary.production().label() + " at X" + summary.load() + ", charon: ";
  }

  private static String percent(double difference, double spread) {
    return String.format(
        Locale.ROOT, "%+.1f %% (A/A spread %.1f %%)", difference * 100, spread * 100);
  }
}
