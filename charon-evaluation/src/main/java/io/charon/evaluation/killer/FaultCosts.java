/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;

/**
 * Costs of page faults with one variant attached, in CPU nanoseconds per fault. Entries at the same
 * position of the lists of all variants were measured one after the other.
 *
 * @param variant the variant that was attached
 * @param minorNanos costs of a fault that only needs a fresh page, without memory pressure
 * @param majorNanos costs of a fault that reads from swap, including the reclaim that it causes
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
