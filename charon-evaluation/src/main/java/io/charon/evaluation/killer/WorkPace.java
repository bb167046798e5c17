/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * The pace of work on a working set.
 *
 * @param nanosPerTouch time of one touch with its computation and its faults
 * @param refaultsPerTouch evicted pages that were read back, per touch
 */
record WorkPace(double nanosPerTouch, double refaultsPerTouch) {
  /** Returns how many times longer the work takes than without a limit. */
  double slowdown(WorkPace unlimited) {
    return nanosPerTouch / unlimited.nanosPerTouch;
  }

  /** Returns the time by which one refault delays the work; NaN without refaults. */
  double nanosPerRefault(WorkPace unlimited) {
    return refaultsPerTouch == 0
        ? Double.NaN
        : (nanosPerTouch - unlimited.nanosPerTouch) / refaultsPerTouch;
  }
}
