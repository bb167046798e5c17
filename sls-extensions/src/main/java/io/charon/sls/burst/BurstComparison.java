/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

import io.charon.sls.run.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** All variants side by side, at several loads, each with the same seeds. */
public final class BurstComparison {
  /**
   * One variant at one load.
   *
   * @param load mean use of the pool, a share
   * @param variant which one
   * @param outcomes one for each seed, in their order
   */
  public record Row(double load, QuotaVariant variant, List<BurstOutcome> outcomes) {
    /** Copies the list. */
    public Row {
      outcomes = List.copyOf(outcomes);
    }

    /** Mean of a measure over the seeds, and how far it may be off. */
    public Estimate estimate(ToDoubleFunction<BurstOutcome> measure) {
      return Estimate.of(outcomes.stream().mapToDouble(measure).boxed().toList());
    }

    /** The same of how much more it is than in another row, seed by seed. */
    public Estimate above(Row other, ToDoubleFunction<BurstOutcome> measure) {
      List<Double> more = new ArrayList<>();
      for (int i = 0; i < outcomes.size(); i++) {
        more.add(
            measure.applyAsDouble(outcomes.get(i)) - measure.applyAsDouble(other.outcomes.get(i)));
      }
      return Estimate.of(more);
    }
  }

  private BurstComparison() {}

  /**
   * Simulates.
   *
   * @param loads each above 0, below 1
   * @param seeds how many: 1, 2, and so on
   * @param seconds that are measured, a multiple of 5
   * @param highUse share of the pool above which the shared pool takes back
   * @return by load, then by variant, in the order of {@link QuotaVariant}
   */
  public static List<Row> run(List<Double> loads, int seeds, int seconds, double highUse) {
    List<Row> rows = new ArrayList<>();
    for (double load : loads) {
      for (QuotaVariant variant : QuotaVariant.values()) {
        List<BurstOutcome> outcomes = new ArrayList<>();
        for (int seed = 1; seed <= seeds; seed++) {
          outcomes.add(BurstPool.run(new BurstSettings(load, seed, seconds, highUse), variant));
        }
        rows.add(new Row(load, variant, outcomes));
      }
    }
    return rows;
  }

  /** The row of another variant at the same load. */
  public static Row beside(Row row, QuotaVariant variant, List<Row> rows) {
    return rows.stream()
        .filter(other -> other.load() == row.load() && other.variant() == variant)
        .findFirst()
        .orElseThrow();
  }

  /**
   * How much of the delay that a quota causes is gone: of what is above {@link
   * QuotaVariant#UNLIMITED}, against {@link QuotaVariant#NONE}.
   *
   * @return 1: all of it; not a number where a quota causes none
   */
  public static double saved(Row row, List<Row> rows) {
    double unlimited = delay(beside(row, QuotaVariant.UNLIMITED, rows));
    return 1 - (delay(row) - unlimited) / (delay(beside(row, QuotaVariant.NONE, rows)) - unlimited);
  }

  private static double delay(Row row) {
    return row.estimate(BurstOutcome::meanDelayMillis).mean();
  }
}
