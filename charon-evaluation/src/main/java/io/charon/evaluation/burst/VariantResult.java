/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.evaluation.statistics.Percentiles;
import java.util.ArrayList;
import java.util.List;

/**
 * What a variant cost.
 *
 * @param variant which one
 * @param extraMillis by how much each burst ended later than with a core of its own, milliseconds
 * @param throttledMillis for how long the kernel kept it from running, milliseconds
 */
record VariantResult(BurstVariant variant, List<Double> extraMillis, double throttledMillis) {
  /** Copies the list. */
  VariantResult {
    extraMillis = List.copyOf(extraMillis);
  }

  /** This and another run of the same variant. */
  VariantResult and(VariantResult other) {
    List<Double> both = new ArrayList<>(extraMillis);
    both.addAll(other.extraMillis);
    return new VariantResult(variant, both, throttledMillis + other.throttledMillis);
  }

  double meanMillis() {
    return extraMillis.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  double p95Millis() {
    return Percentiles.of(extraMillis, 95).orElse(Double.NaN);
  }

  double maxMillis() {
    return Percentiles.of(extraMillis, 100).orElse(Double.NaN);
  }
}
