/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All measurements of a run, and one of each mode that are compared: those in which production
 * alone, before best-effort came, was as equally fast as possible. What happened after best-effort
 * came has no influence on the choice, so it favours no mode.
 */
final class Measurements {
  private static final Comparator<RunResult> BY_BASELINE =
      Comparator.comparingDouble(Measurements::baseline);

  private final Map<DemoMode, List<RunResult>> byMode = new LinkedHashMap<>();

  /** Adds a measurement; the modes are compared in the order of their first ones. */
  void add(RunResult result) {
    byMode.computeIfAbsent(result.mode(), mode -> new ArrayList<>()).add(result);
  }

  /** Returns the number of measurements beyond the first of each mode. */
  int repeated() {
    return all().size() - byMode.size();
  }

  /** Returns the measurements that are compared, one of each mode. */
  List<RunResult> compared() {
    return all().stream()
        .map(lowest -> fastestFrom(baseline(lowest)))
        .flatMap(Optional::stream)
        .min(Comparator.comparingDouble(Measurements::spread))
        .orElseGet(() -> byMode.values().stream().map(results -> results.get(0)).toList());
  }

  /** Returns the measurements that are not compared, in the order in which they were made. */
  List<RunResult> discarded() {
    List<RunResult> discarded = new ArrayList<>(all());
    discarded.removeAll(compared());
    return List.copyOf(discarded);
  }

  /** Returns the mode whose production alone differs most from the median of all modes. */
  DemoMode outlier() {
    List<RunResult> sorted = compared().stream().sorted(BY_BASELINE).toList();
    double median = baseline(sorted.get(sorted.size() / 2));
    return sorted.stream()
        .max(Comparator.comparingDouble(result -> Math.abs(Math.log(baseline(result) / median))))
        .orElseThrow()
        .mode();
  }

  private List<RunResult> all() {
    return byMode.values().stream().flatMap(List::stream).toList();
  }

  /** Returns of each mode the measurement with the fastest production alone from a limit up. */
  private Optional<List<RunResult>> fastestFrom(double lowestSeconds) {
    List<RunResult> chosen =
        byMode.values().stream()
            .flatMap(
                results ->
                    results.stream()
                        .filter(result -> baseline(result) >= lowestSeconds)
                        .min(BY_BASELINE)
                        .stream())
            .toList();
    return chosen.size() == byMode.size() ? Optional.of(chosen) : Optional.empty();
  }

  private static double spread(List<RunResult> results) {
    return baseline(results.stream().max(BY_BASELINE).orElseThrow())
        / baseline(results.stream().min(BY_BASELINE).orElseThrow());
  }

  private static double baseline(RunResult result) {
    return result.production().baselineP50();
  }
}
