/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Samples of one latency, in milliseconds, and their percentiles.
 *
 * @param samples samples in the order of measurement
 */
record Latencies(List<Double> samples) {
  /** Minimum number of samples for a 99th percentile that is more than roughly the maximum. */
  static final int MIN_SAMPLES_FOR_P99 = 200;

  Latencies {
    samples = List.copyOf(samples);
  }

  OptionalDouble p50() {
    return Percentiles.of(samples, 50);
  }

  OptionalDouble p90() {
    return Percentiles.of(samples, 90);
  }

  /** Returns the 99th percentile; empty with fewer than {@value #MIN_SAMPLES_FOR_P99} samples. */
  OptionalDouble p99() {
    return samples.size() < MIN_SAMPLES_FOR_P99
        ? OptionalDouble.empty()
        : Percentiles.of(samples, 99);
  }

  OptionalDouble max() {
    return Percentiles.of(samples, 100);
  }
}
