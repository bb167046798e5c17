/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

import io.charon.evaluation.statistics.Percentiles;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Measurements of a service's clients.
 *
 * @param transactionsPerSecond successful transactions per second of the time in which they were
 *     due
 * @param transactions the successful transactions
 * @param failed number of transactions that failed
 */
public record ServiceMeasurement(
    double transactionsPerSecond, List<Transaction> transactions, int failed) {
  /** Copies the list. */
  public ServiceMeasurement {
    transactions = List.copyOf(transactions);
  }

  /** Returns the latency of each transaction, from the time it was due, milliseconds. */
  public List<Double> millis() {
    return transactions.stream().map(Transaction::latencyMillis).toList();
  }

  /** Returns a percentile of the latencies, milliseconds; NaN if there are none. */
  public double percentileMillis(double percent) {
    return Percentiles.of(millis(), percent).orElse(Double.NaN);
  }

  /**
   * Returns the latencies, milliseconds, of the transactions that were due within the same stretch
   * of time; none of the lists is empty.
   *
   * @param length length of a stretch, whole microseconds
   */
  public Collection<List<Double>> blocks(Duration length) {
    long micros = length.toNanos() / 1_000;
    return transactions.stream()
        .collect(
            Collectors.groupingBy(
                transaction -> transaction.dueMicros() / micros,
                Collectors.mapping(Transaction::latencyMillis, Collectors.toList())))
        .values();
  }
}
