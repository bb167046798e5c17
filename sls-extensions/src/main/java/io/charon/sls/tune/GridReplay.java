/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import io.charon.core.law.Cause;
import io.charon.core.law.Decision;
import io.charon.core.law.Observation;
import io.charon.core.law.RangeSettings;
import io.charon.core.law.Regulator;
import io.charon.core.law.ReserveRegulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The second pass: replays every series with a regulator for each cell of the grid. */
final class GridReplay {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<String, SeriesFacts> facts;
  private final List<RangeSettings> cells = new ArrayList<>();
  private final Map<String, List<Replay>> replays = new LinkedHashMap<>();

  GridReplay(Map<String, SeriesFacts> facts, List<Double> windows, List<Double> stdFactors) {
    this.facts = facts;
    for (double window : windows) {
      for (double stdFactor : stdFactors) {
        cells.add(
            new RangeSettings(Duration.ofNanos(Math.round(window * NANOS_PER_SECOND)), stdFactor));
      }
    }
  }

  /** Replays a sample; ignores series that the survey left out. */
  void add(UsageSample sample) {
    SeriesFacts known = facts.get(sample.series());
    if (known == null) {
      return;
    }
    Observation observation =
        new Observation(sample.nanos(), sample.value(), sample.capacity().orElse(known.peak()));
    for (Replay replay : replays.computeIfAbsent(sample.series(), this::start)) {
      replay.add(observation);
    }
  }

  private List<Replay> start(String series) {
    return cells.stream().map(cell -> new Replay(new ReserveRegulator(cell))).toList();
  }

  /** Returns the results of the cells, by increasing window, then by std-factor. */
  List<CellResult> results() {
    List<CellResult> results = new ArrayList<>();
    for (int cell = 0; cell < cells.size(); cell++) {
      long most = -1;
      long total = 0;
      double afforded = 0;
      double excess = 0;
      double largestExcess = 0;
      String worst = "";
      for (Map.Entry<String, List<Replay>> series : replays.entrySet()) {
        Replay replay = series.getValue().get(cell);
        total += replay.violations;
        excess += replay.excessSum;
        largestExcess = Math.max(largestExcess, replay.largestExcess);
        afforded += replay.affordedSum / replay.decisions;
        if (replay.violations > most) {
          most = replay.violations;
          worst = series.getKey();
        }
      }
      RangeSettings settings = cells.get(cell);
      results.add(
          new CellResult(
              settings.window().toNanos() / NANOS_PER_SECOND,
              settings.stdFactor(),
              most,
              total,
              afforded / replays.size(),
              total == 0 ? 0 : excess / total,
              largestExcess,
              worst));
    }
    return results;
  }

  /** The replay of one series in one cell. */
  private static final class Replay {
    private final Regulator regulator;
    private long decisions;
    private long violations;
    private double affordedSum;
    private double excessSum;
    private double largestExcess;

    Replay(Regulator regulator) {
      this.regulator = regulator;
    }

    void add(Observation observation) {
      Decision decision = regulator.decide(observation);
      decisions++;
      affordedSum += decision.limit() / observation.capacity();
      if (decision.cause() == Cause.VIOLATION) {
        violations++;
        double reserve = decision.judgedBy().orElseThrow().upper();
        double excess = (observation.value().orElseThrow() - reserve) / observation.capacity();
        excessSum += excess;
        largestExcess = Math.max(largestExcess, excess);
      }
    }
  }
}
