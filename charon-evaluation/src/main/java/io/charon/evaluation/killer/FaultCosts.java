/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;

/**
 * What page faults cost with one variant attached, CPU nanoseconds each; equal places of the lists
 * of all variants were measured one after the other.
 *
 * @param variant what was attached
 * @param minorNanos of a fault that only needs a fresh page, without memory pressure
 * @param majorNanos of a fault that reads from swap, with the reclaim it causes
 */
record FaultCosts(String variant, List<Double> minorNanos, List<Double> majorNanos) {
  FaultCosts {
    minorNanos = List.copyOf(minorNanos);
    majorNanos = List.copyOf(majorNanos);
  }

  double minorMedian() {
    return Percentiles.median(minorNanos).orElseThrow();
  }

  double majorMedian() {
    return Percentiles.median(majorNanos).orElseThrow();
  }
}
