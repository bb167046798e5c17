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
 * All seeds of one policy at one load.
 *
 * @param cell which
 * @param seeds how many
 * @param estimates of all measures
 */
public record Summary(Cell cell, int seeds, Map<Measure, Estimate> estimates) {
  /**
   * What runs have in common.
   *
   * @param policy its name
   * @param load how often each best-effort job was submitted
   */
  public record Cell(String policy, int load) {}

  /** The estimate of one measure. */
  public Estimate of(Measure measure) {
    return estimates.get(measure);
  }

  /** Summaries in the order in which their first runs come. */
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
