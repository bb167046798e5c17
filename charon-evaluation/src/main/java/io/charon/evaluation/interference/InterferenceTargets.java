/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.killer.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The targets for production and best-effort with the memory limit and the kernel UA killer. */
final class InterferenceTargets {
  /** Allowed excess over alone again, seconds per episode. */
  private static final double SECONDS_BELOW_HALF = 0.3;

  private static final double MEDIAN = 0.95;
  private static final double COLD_FACTOR = 1.5;
  private static final double COLD_SECONDS = 1;
  private static final double HELD = 0.9;
  private static final double WORK = 0.8;

  /** With fewer or shorter episodes the numbers only show that the benchmark works. */
  private static final int MIN_EPISODES = 3;

  private static final double MIN_SECONDS = 10;

  private InterferenceTargets() {}

  /** Returns whether there are enough episodes to judge. */
  static boolean areJudged(InterferenceOptions options) {
    return options.episodes() >= MIN_EPISODES && options.episode().toMillis() / 1e3 >= MIN_SECONDS;
  }

  /** Returns the targets of all pairs that were measured with limit and killer. */
  static List<Target> of(InterferenceResult result) {
    List<Target> targets = new ArrayList<>();
    long killed = result.episodes().stream().filter(Episode::productionKilled).count();
    targets.add(
        new Target(
            "no production container killed",
            "%d of %d episodes".formatted(killed, result.episodes().size()),
            killed == 0));
    for (Pair pair : result.options().pairs()) {
      result
          .summary(pair, InterferenceMode.LIMIT_AND_KILLER)
          .ifPresent(
              summary ->
                  add(summary, result.summary(pair, InterferenceMode.STATIC_LIMIT), targets));
    }
    return targets;
  }

  private static void add(
      ScenarioSummary summary, Optional<ScenarioSummary> fixed, List<Target> targets) {
    String name = summary.pair().name();
    if (!summary.pair().bestEffort().hasOwnProcessors()) {
      addOfProcessors(name, summary, fixed, targets);
      return;
    }
    if (summary.pair().cold()) {
      double bar =
          summary.secondsToFullSpeedAlone().orElse(Double.NaN) * COLD_FACTOR + COLD_SECONDS;
      // If half of the episodes end before production has its full speed, their length is no
      // result.
      double ends = summary.episodes().get(0).seconds();
      addAtMost(
          name + ": s from a cold start to full speed, alone's times 1.5 and 1 s",
          summary.secondsToFullSpeed().orElse(ends) < ends
              ? summary.secondsToFullSpeed()
              : OptionalDouble.of(Double.POSITIVE_INFINITY),
          bar,
          targets);
    } else {
      addAtMost(
          name + ": s below half, alone-again's and 0.3",
          summary.secondsBelowHalf(),
          summary.secondsBelowHalfAloneAgain().orElse(0) + SECONDS_BELOW_HALF,
          targets);
      addAtLeast(
          name + ": median speed of no-contest", summary.medianVsNoContest(), MEDIAN, targets);
    }
    addOfBestEffort(name, summary, fixed, targets);
  }

  /**
   * Adds the target of a pair that contends for processors, which the memory limit does not divide.
   */
  private static void addOfProcessors(
      String name, ScenarioSummary summary, Optional<ScenarioSummary> fixed, List<Target> targets) {
    OptionalDouble other = fixed.map(ScenarioSummary::medianVsAlone).orElse(OptionalDouble.empty());
    if (other.isPresent()) {
      addAtLeast(
          name + " (processors): median speed of alone, static-limit's times 0.95",
          summary.medianVsAlone(),
          other.getAsDouble() * MEDIAN,
          targets);
    }
  }

  private static void addOfBestEffort(
      String name, ScenarioSummary summary, Optional<ScenarioSummary> fixed, List<Target> targets) {
    if (summary.pair().bestEffort().fills()) {
      addAtLeast(
          name + ": best-effort holds of what production and the reserve leave",
          summary.episodes().stream()
              .flatMapToDouble(
                  episode -> episode.memory().bestEffortOfLeft(InterferenceNode.MEGABYTES).stream())
              .average(),
          HELD,
          targets);
    }
    if (summary.pair().cold()) {
      return; // in mode none production is stalled, and leaves the disk to best-effort
    }
    if (summary.pair().bestEffort().worksInAnyMemory() && summary.workVsNone().isPresent()) {
      addAtLeast(name + ": best-effort's work of none", summary.workVsNone(), WORK, targets);
    }
    OptionalDouble work = fixed.map(ScenarioSummary::workVsNone).orElse(OptionalDouble.empty());
    if (work.isPresent() && summary.pair().bestEffort().fills()) {
      addAtLeast(
          name + ": best-effort's work of none, static-limit's times 0.95",
          summary.workVsNone(),
          work.getAsDouble() * MEDIAN,
          targets);
    }
  }

  private static void addAtMost(
      String name, OptionalDouble value, double bar, List<Target> targets) {
    targets.add(
        new Target(
            name, text(value) + " (at most " + text(bar) + ")", value.orElse(Double.NaN) <= bar));
  }

  private static void addAtLeast(
      String name, OptionalDouble value, double bar, List<Target> targets) {
    if (value.isPresent()) {
      targets.add(
          new Target(
              name, text(value) + " (at least " + text(bar) + ")", value.getAsDouble() >= bar));
    }
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? text(value.getAsDouble()) : "not measured";
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
