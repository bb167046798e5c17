/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.statistics.Percentiles;
import java.util.Collections;
import java.util.List;

/**
 * One program at one ratio.
 *
 * @param program the program
 * @param shared whether it shared its limit with the program of the other kind of pages
 * @param ratio memory in use over available memory
 * @param slowdowns time over time without a limit, of each repetition that survived
 * @param nanosPerRefault time by which one refault delays the work, of the same repetitions
 * @param endedByLinux number of repetitions that Linux's OOM killer ended
 */
record ThrashPoint(
    ThrashProgram program,
    boolean shared,
    double ratio,
    List<Double> slowdowns,
    List<Double> nanosPerRefault,
    int endedByLinux) {
  ThrashPoint {
    slowdowns = List.copyOf(slowdowns);
    nanosPerRefault = List.copyOf(nanosPerRefault);
  }

  String label() {
    return program.label() + (shared ? ", shared limit" : "");
  }

  /** Returns whether every repetition survived; otherwise the slowdown is undefined. */
  boolean survived() {
    return endedByLinux == 0;
  }

  double slowdown() {
    return Percentiles.median(slowdowns).orElseThrow();
  }

  double slowdownLow() {
    return Collections.min(slowdowns);
  }

  double slowdownHigh() {
    return Collections.max(slowdowns);
  }

  double nanosPerRefaultMedian() {
    return Percentiles.median(nanosPerRefault).orElseThrow();
  }
}
