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
 * Reads the log of {@code pgbench --log}, one line for each transaction: client, number, latency in
 * microseconds (from the moment it was due, if a rate is given), script, and when it ended, as
 * seconds and microseconds (PostgreSQL documentation, pgbench, "Per-Transaction Logging").
 */
final class PgbenchLog {
  private static final int LATENCY = 2;
  private static final int SECONDS = 4;
  private static final int MICROS = 5;

  private final List<Double> millis = new ArrayList<>();
  private int failed;

  /** Takes in the lines of one file; a last line that is not complete does not count. */
  void add(List<String> lines) {
    for (String line : lines) {
      String[] fields = line.trim().split(" +", -1);
      if (fields.length <= MICROS || !isNumber(fields[SECONDS]) || !isNumber(fields[MICROS])) {
        continue;
      }
      if (isNumber(fields[LATENCY])) {
        millis.add(Long.parseLong(fields[LATENCY]) / 1e3);
      } else {
        failed++;
      }
    }
  }

  /**
   * What was read.
   *
   * @param duration how long transactions were due
   */
  ServiceMeasurement measurement(Duration duration) {
    return new ServiceMeasurement(millis.size() / (duration.toMillis() / 1e3), millis, failed);
  }

  private static boolean isNumber(String field) {
    return !field.isEmpty()
        && field.length() < 19
        && field.chars().allMatch(character -> character >= '0' && character <= '9');
  }
}
