/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import io.charon.core.forecast.UsePredictor;
import io.charon.core.forecast.UseSample;
import io.charon.sls.tune.reclaimed.TableResult.Scores;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replays machines and sums up the score of each predictor. All are judged on the same samples:
 * those after a day of samples and before a whole day of the series.
 */
final class PredictorScoring {
  private static final int KNOWN_SAMPLES = UseSample.PER_DAY;

  private final UsageTable table;
  private final List<Candidate> candidates;
  private final Map<String, Score.Sum> sums = new LinkedHashMap<>();
  private final Score.Sum allocation = new Score.Sum();
  private final Score.Sum oracle = new Score.Sum();
  private double used;
  private int machines;

  PredictorScoring(UsageTable table, List<Candidate> candidates) {
    this.table = table;
    this.candidates = candidates;
    candidates.forEach(candidate -> sums.put(candidate.name(), new Score.Sum()));
  }

  void add(Machine machine) {
    if (machine.end() - machine.first() <= 2L * UseSample.PER_DAY) {
      return;
    }
    Future future = new Future(machine);
    Map<String, UsePredictor> predictors = new LinkedHashMap<>();
    candidates.forEach(candidate -> predictors.put(candidate.name(), candidate.create().get()));
    int known = 0;
    long judgedBefore = oracle.samples();
    for (long interval = machine.first();
        interval + UseSample.PER_DAY <= machine.end();
        interval++) {
      Optional<UseSample> found = machine.sample(interval);
      if (found.isEmpty()) {
        continue;
      }
      UseSample sample = found.get();
      double peak = future.peakFrom(interval);
      if (known >= KNOWN_SAMPLES) {
        judge(sample, peak, predictors);
      }
      predictors.values().forEach(predictor -> predictor.add(sample));
      known++;
    }
    if (oracle.samples() > judgedBefore) {
      machines++;
    }
  }

  private void judge(UseSample sample, double peak, Map<String, UsePredictor> predictors) {
    double reserved = sample.reserved();
    double capacity = table.amounts().capacity().orElse(reserved);
    double use = sample.use();
    predictors.forEach(
        (name, predictor) ->
            sums.get(name)
                .add(capacity, Math.min(capacity, predictor.keptShare() * reserved), use, peak));
    allocation.add(capacity, Math.min(capacity, reserved), use, peak);
    oracle.add(capacity, Math.min(capacity, peak), use, peak);
    used += use / capacity;
  }

  TableResult result(int series, LeftOut leftOut) {
    long samples = oracle.samples();
    Map<String, Score> predictors = new LinkedHashMap<>();
    sums.forEach((name, sum) -> predictors.put(name, sum.score()));
    String note =
        samples > 0
            ? ""
            : "%d series are left, and none of them makes a machine with more than two days of data"
                .formatted(series);
    return new TableResult(
        table,
        machines,
        samples,
        used / samples,
        new Scores(allocation.score(), oracle.score(), predictors),
        leftOut,
        note);
  }

  /** The highest use of the next 24 hours, interval by interval. */
  private static final class Future {
    private record Use(long interval, double value) {}

    private final Machine machine;
    private final Deque<Use> falling = new ArrayDeque<>();
    private long read;

    Future(Machine machine) {
      this.machine = machine;
      this.read = machine.first();
    }

    double peakFrom(long interval) {
      for (; read < interval + UseSample.PER_DAY; read++) {
        Optional<UseSample> sample = machine.sample(read);
        if (sample.isPresent()) {
          double use = sample.get().use();
          while (!falling.isEmpty() && falling.peekLast().value() <= use) {
            falling.removeLast();
          }
          falling.addLast(new Use(read, use));
        }
      }
      while (falling.peekFirst().interval() < interval) {
        falling.removeFirst();
      }
      return falling.peekFirst().value();
    }
  }
}
