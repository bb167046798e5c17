/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.statistics.RatioEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The measurements of {@code bench overhead}.
 *
 * @param costs costs of each variant; the first variant has nothing attached
 * @param kernel release of the kernel
 * @param processors number of CPUs
 * @param seconds duration of the run
 */
public record OverheadResult(
    List<FaultCosts> costs, String kernel, int processors, double seconds) {
  private static final double MAJOR_LIMIT = 1.02;

  /** Copies the list. */
  public OverheadResult {
    costs = List.copyOf(costs);
  }

  RatioEstimate minorRatio(FaultCosts variant) {
    return RatioEstimate.of(variant.minorNanos(), costs.get(0).minorNanos());
  }

  RatioEstimate majorRatio(FaultCosts variant) {
    return RatioEstimate.of(variant.majorNanos(), costs.get(0).majorNanos());
  }

  /** Returns the targets, judged for the default data source. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (FaultCosts variant : costs) {
      if (variant.variant().equals(OverheadBench.LITE)) {
        RatioEstimate minor = minorRatio(variant);
        RatioEstimate major = majorRatio(variant);
        targets.add(
            new Target(
                "minor fault without pressure: not measurable (1 lies in the interval)",
                text(minor),
                minor.low95() <= 1 && minor.high95() >= 1));
        targets.add(
            new Target(
                "major fault under heavy reclaim: at most 2 % more",
                text(major)
                    + (major.high95() > MAJOR_LIMIT && major.ratio() <= MAJOR_LIMIT
                        ? "; the interval reaches above"
                        : ""),
                major.ratio() <= MAJOR_LIMIT));
      }
    }
    return targets;
  }

  static String text(RatioEstimate ratio) {
    return String.format(
        Locale.ROOT, "%.3f (%.3f to %.3f)", ratio.ratio(), ratio.low95(), ratio.high95());
  }
}
