/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.evaluation.killer.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Targets for the additional time that a start takes with Charon, and for the cgroup of its first
 * instruction.
 */
final class LaunchTargets {
  private static final double MEDIAN_MILLIS = 5;

  /** Minimum rounds for judging times; with fewer, the p99 would depend on one or two launches. */
  static final int MIN_ROUNDS = 200;

  private LaunchTargets() {}

  /** Returns the targets of one series. */
  static List<Target> of(LaunchSeries series) {
    List<Target> targets = new ArrayList<>();
    targets.add(
        new Target(
            series.name() + ": none outside its cgroup",
            series.outside() + " of " + series.started(),
            series.outside() == 0));
    if (series.rounds() >= MIN_ROUNDS) {
      addTimeTargets(series, targets);
    }
    return targets;
  }

  private static void addTimeTargets(LaunchSeries series, List<Target> targets) {
    MedianEstimate median =
        MedianEstimate.ofDifferences(
            series.millis(LaunchVariant.CHARON), series.millis(LaunchVariant.STOCK));
    targets.add(
        new Target(
            series.name() + ": median at most 5 ms above stock's, with its interval",
            String.format(
                Locale.ROOT,
                "%+.2f ms (%+.2f to %+.2f)",
                median.median(),
                median.low95(),
                median.high95()),
            median.high95() <= MEDIAN_MILLIS));
    TailComparison tail = TailComparison.of(series);
    targets.add(
        new Target(
            series.name() + ": p99 differs from stock's by no more than two runs of stock do",
            String.format(
                Locale.ROOT, "%+.2f ms, of stock's %.2f", tail.excessMillis(), tail.spreadMillis()),
            tail.isWithinSpread()));
  }
}
