/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

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
record ServiceMeasurement(double transactionsPerSecond, List<Double> millis, int failed) {
  ServiceMeasurement {
    millis = List.copyOf(millis);
  }

  double percentileMillis(double percent) {
    return Percentiles.of(millis, percent).orElse(Double.NaN);
  }
}
