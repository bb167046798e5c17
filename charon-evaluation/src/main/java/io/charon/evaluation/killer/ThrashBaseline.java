/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;

/**
 * One program without a limit.
 *
 * @param program the program
 * @param nanosPerTouch time per touch of each repetition
 */
record ThrashBaseline(ThrashProgram program, List<Double> nanosPerTouch) {
  ThrashBaseline {
    nanosPerTouch = List.copyOf(nanosPerTouch);
  }

  double nanosPerTouchMedian() {
    return Percentiles.median(nanosPerTouch).orElseThrow();
  }
}
