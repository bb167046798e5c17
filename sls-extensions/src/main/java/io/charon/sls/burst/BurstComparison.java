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

/** Compares all quota variants at several loads, each with the same seeds. */
public final class BurstComparison {
  /**
   * The outcomes of one variant at one load.
   *
   * @param load mean use of the pool, as a share of all quotas
   * @param variant the variant
   * @param outcomes one outcome for each seed, in the order of the seeds
   */
  public record Row(double load, QuotaVariant variant, List<BurstOutcome> outcomes) {
    /** Copies the list. */
    public Row {
      outcomes = List.copyOf(outcomes);
    }

    /** Returns the mean of a measure over the seeds and its confidence interval. */
    public Estimate estimate(ToDoubleFunction<BurstOutcome> measure) {
      return Estimate.of(outcomes.stream().mapToDouble(measure).boxed().toList());
    }

    /** Returns the mean difference of a measure from another row, paired by seed. */
    public Estimate differenceFrom(Row other, ToDoubleFunction<BurstOutcome> measure) {
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
   * Simulates every variant at every load with every seed.
   *
   * @param loads each above 0, below 1
   * @param seeds number of seeds; seeds 1 to this number are used
   * @param seconds measured seconds of virtual time, a multiple of 5
   * @param highUse share of the pool above which the shared pool lowers quotas
   * @return rows by load, then by variant, in the order of {@link QuotaVariant}
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

  /** Returns the row of another variant at the same load. */
  public static Row rowOf(Row row, QuotaVariant variant, List<Row> rows) {
    return rows.stream()
        .filter(other -> other.load() == row.load() && other.variant() == variant)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns the share of a quota's delay that a variant avoids. A quota's delay is the mean delay
   * of {@link QuotaVariant#NONE} above that of {@link QuotaVariant#UNLIMITED}.
   *
   * @return 1 if all of it is avoided; not a finite number if a quota causes no delay
   */
  public static double saved(Row row, List<Row> rows) {
    double unlimited = delay(rowOf(row, QuotaVariant.UNLIMITED, rows));
    return 1 - (delay(row) - unlimited) / (delay(rowOf(row, QuotaVariant.NONE, rows)) - unlimited);
  }

  private static double delay(Row row) {
    return row.estimate(BurstOutcome::meanDelayMillis).mean();
  }
}
