/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PgbenchLogTest {
  @Test
  void readsLatenciesAndCountsTransactionsOverTheTimeTheyWereDue() {
    PgbenchLog log = new PgbenchLog();
    log.add(
        List.of(
            "0 1 1500 0 1700000000 123456 42",
            "3 7 2500 1 1700000001 7 0",
            "1 2 500 0 1700000002 999999"));

    ServiceMeasurement measured = log.measurement(Duration.ofSeconds(2));

    assertThat(log.transactions())
        .containsExactly(
            new Transaction(1_700_000_000_123_456L, 1500),
            new Transaction(1_700_000_001_000_007L, 2500),
            new Transaction(1_700_000_002_999_999L, 500));
    assertThat(log.transactions().get(0).dueMicros()).isEqualTo(1_700_000_000_121_956L);
    assertThat(measured.millis()).containsExactly(1.5, 2.5, 0.5);
    assertThat(measured.blocks(Duration.ofSeconds(2)))
        .containsExactlyInAnyOrder(List.of(1.5, 2.5), List.of(0.5));
    assertThat(measured.transactionsPerSecond()).isEqualTo(1.5);
    assertThat(measured.failed()).isZero();
    assertThat(measured.percentileMillis(50)).isEqualTo(1.5);
  }

  @Test
  void countsFailedAndSkippedTransactionsApart() {
    PgbenchLog log = new PgbenchLog();
    log.add(List.of("0 1 failed 0 1700000000 1 2", "0 2 skipped 0 1700000000 1 2", "0 3 9 0 17 1"));

    assertThat(log.measurement(Duration.ofSeconds(1)).failed()).isEqualTo(2);
    assertThat(log.measurement(Duration.ofSeconds(1)).millis()).containsExactly(0.009);
  }

  @Test
  void leavesOutLinesThatAreNotComplete() {
    PgbenchLog log = new PgbenchLog();
    log.add(
        List.of("", "0 1 15", "hello", "0 1 15 0 1700000000 x", "1 2 3 4 5 99999999999999999999"));

    ServiceMeasurement measured = log.measurement(Duration.ofSeconds(1));

    assertThat(measured.millis()).isEmpty();
    assertThat(measured.failed()).isZero();
    assertThat(measured.percentileMillis(99)).isNaN();
  }
}
