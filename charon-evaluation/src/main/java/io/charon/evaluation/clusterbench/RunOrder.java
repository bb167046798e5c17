/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Determines the order of all runs. Each repetition runs every mode at every load once and starts
 * one run later in the order than the repetition before, so that slow changes of the machine affect
 * all modes alike. The two runs of production alone are half a repetition apart.
 */
final class RunOrder {
  private RunOrder() {}

  /** Returns all runs in order. */
  static List<PlannedRun> of(ClusterOptions options) {
    List<PlannedRun> runs = new ArrayList<>();
    for (ProductionKind production : options.productions()) {
      for (int repetition = 0; repetition < options.repetitions(); repetition++) {
        runs.addAll(repetition(options, production, repetition));
      }
    }
    return runs;
  }

  private static List<PlannedRun> repetition(
      ClusterOptions options, ProductionKind production, int repetition) {
    List<PlannedRun> loaded = new ArrayList<>();
    for (int load : options.loads()) {
      for (ClusterMode mode : options.modes()) {
        loaded.add(new PlannedRun(production, mode, load, repetition));
      }
    }
    int half = (loaded.size() + 1) / 2;
    List<PlannedRun> runs = new ArrayList<>();
    runs.add(new PlannedRun(production, ClusterMode.ALONE, 0, repetition));
    runs.addAll(loaded.subList(0, half));
    runs.add(new PlannedRun(production, ClusterMode.ALONE_AGAIN, 0, repetition));
    runs.addAll(loaded.subList(half, loaded.size()));
    Collections.rotate(runs, -repetition);
    return runs;
  }
}
