/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * How fast a working set is worked on.
 *
 * @param nanosPerTouch time of one touch with its computation and its faults
 * @param refaultsPerTouch evicted pages that came back, for each touch
 */
record WorkPace(double nanosPerTouch, double refaultsPerTouch) {
  /** How much longer the work takes than at another pace. */
  double slowdown(WorkPace unlimited) {
    return nanosPerTouch / unlimited.nanosPerTouch;
  }

  /** Time for which one refault holds the work up; NaN without refaults. */
  double nanosPerRefault(WorkPace unlimited) {
    return refaultsPerTouch == 0
        ? Double.NaN
        : (nanosPerTouch - unlimited.nanosPerTouch) / refaultsPerTouch;
  }
}
