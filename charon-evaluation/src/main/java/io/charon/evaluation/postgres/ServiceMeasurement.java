/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;

/**
 * Measurements of a service's clients.
 *
 * @param transactionsPerSecond successful transactions per second of the time in which they were
 *     due
 * @param millis latency of each transaction, from the time it was due, milliseconds
 * @param failed number of transactions that failed
 */
public record ServiceMeasurement(double transactionsPerSecond, List<Double> millis, int failed) {
  /** Copies the list. */
  public ServiceMeasurement {
    millis = List.copyOf(millis);
  }

  /** Returns a percentile of the latencies, milliseconds; NaN if there are none. */
  public double percentileMillis(double percent) {
    return Percentiles.of(millis, percent).orElse(Double.NaN);
  }
}
