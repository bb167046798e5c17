/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Summary over all seeds of one policy at one load.
 *
 * @param cell policy and load
 * @param seeds number of seeds
 * @param estimates estimates of all measures
 */
public record Summary(Cell cell, int seeds, Map<Measure, Estimate> estimates) {
  /**
   * Policy and load, which the summarized runs have in common.
   *
   * @param policy name of the policy
   * @param load number of submissions of each best-effort job
   */
  public record Cell(String policy, int load) {}

  /** Returns the estimate of one measure. */
  public Estimate of(Measure measure) {
    return estimates.get(measure);
  }

  /** Returns the summaries in the order of their first runs. */
  public static List<Summary> of(Collection<MeasuredRun> runs) {
    Map<Cell, List<MeasuredRun>> byCell = new LinkedHashMap<>();
    for (MeasuredRun run : runs) {
      byCell
          .computeIfAbsent(new Cell(run.policy(), run.load()), cell -> new ArrayList<>())
          .add(run);
    }
    return byCell.entrySet().stream().map(cell -> of(cell.getKey(), cell.getValue())).toList();
  }

  private static Summary of(Cell cell, List<MeasuredRun> runs) {
    Map<Measure, Estimate> estimates = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      estimates.put(
          measure, Estimate.of(runs.stream().map(run -> run.values().get(measure)).toList()));
    }
    return new Summary(cell, runs.size(), estimates);
  }
}
