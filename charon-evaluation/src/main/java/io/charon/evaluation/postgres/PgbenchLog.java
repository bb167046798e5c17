/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The log of {@code pgbench --log}, one line for each transaction: client, number, latency in
 * microseconds (from the moment at which the transaction was due, if a rate is given), script, and
 * the time at which it ended, as seconds and microseconds (PostgreSQL documentation, pgbench,
 * "Per-Transaction Logging").
 */
public final class PgbenchLog {
  private static final int LATENCY = 2;
  private static final int SECONDS = 4;
  private static final int MICROS = 5;
  private static final long MICROS_PER_SECOND = 1_000_000;

  private final List<Transaction> transactions = new ArrayList<>();
  private int failed;

  /** Adds the lines of one file; incomplete lines, such as the last one, are ignored. */
  void add(List<String> lines) {
    for (String line : lines) {
      String[] fields = line.trim().split(" +", -1);
      if (fields.length <= MICROS || !isNumber(fields[SECONDS]) || !isNumber(fields[MICROS])) {
        continue;
      }
      if (isNumber(fields[LATENCY])) {
        transactions.add(
            new Transaction(
                Long.parseLong(fields[SECONDS]) * MICROS_PER_SECOND
                    + Long.parseLong(fields[MICROS]),
                Long.parseLong(fields[LATENCY])));
      } else {
        failed++;
      }
    }
  }

  /** Returns the transactions that were answered, in the order of the log. */
  public List<Transaction> transactions() {
    return List.copyOf(transactions);
  }

  /** Returns the number of transactions that failed or were skipped. */
  public int failed() {
    return failed;
  }

  /**
   * Summarizes the transactions of a run.
   *
   * @param duration time during which transactions were due
   */
  ServiceMeasurement measurement(Duration duration) {
    return new ServiceMeasurement(
        transactions.size() / (duration.toMillis() / 1e3), transactions, failed);
  }

  private static boolean isNumber(String field) {
    return !field.isEmpty()
        && field.length() < 19
        && field.chars().allMatch(character -> character >= '0' && character <= '9');
  }
}
