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

/**
 * All measurements of a run, and one of each mode that is reported: the one in which production by
 * itself kept its pace best. How best-effort and production fared beside each other has no
 * influence on the choice, so it favours no mode.
 */
final class Measurements {
  /** Orders a measurement whose error is unknown last. */
  private static final Comparator<DemoRunResult> BY_PACE_ERROR =
      Comparator.comparingDouble(DemoRunResult::paceError);

  private final Map<DemoMode, List<DemoRunResult>> byMode = new LinkedHashMap<>();

  /** Adds a measurement; the modes are reported in the order of their first ones. */
  void add(DemoRunResult result) {
    byMode.computeIfAbsent(result.mode(), mode -> new ArrayList<>()).add(result);
  }

  /** Returns the number of measurements beyond the first of each mode. */
  int repeated() {
    return all().size() - byMode.size();
  }

  /** Returns the measurements that are compared, one of each mode. */
  List<DemoRunResult> compared() {
    return byMode.values().stream()
        .map(results -> results.stream().min(BY_PACE_ERROR).orElseThrow())
        .toList();
  }

  /** Returns the measurements that are not compared, in the order in which they were made. */
  List<DemoRunResult> discarded() {
    List<DemoRunResult> discarded = new ArrayList<>(all());
    discarded.removeAll(compared());
    return List.copyOf(discarded);
  }

  /** Returns the compared measurement in which production by itself kept its pace least. */
  DemoRunResult leastSteady() {
    return compared().stream().max(BY_PACE_ERROR).orElseThrow();
  }

  private List<DemoRunResult> all() {
    return byMode.values().stream().flatMap(List::stream).toList();
  }
}
