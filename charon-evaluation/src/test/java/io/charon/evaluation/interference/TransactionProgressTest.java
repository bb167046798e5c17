/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.charon.evaluation.interference.SpeedSeries.Interval;
import io.charon.evaluation.interference.SpeedSeries.Mark;
import io.charon.evaluation.postgres.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionProgressTest {
  private static final long FROM = 1_700_000_000_000_000L;
  private static final long SECOND = 1_000_000;
  private static final long EPOCH_NANOS = -FROM * 1000 + 77_000;
  private static final int RATE = 100;

  /** A transaction every 10 ms, which takes 2 ms, from half a second before the episode. */
  private static List<Transaction> steady(long untilMicros) {
    List<Transaction> transactions = new ArrayList<>();
    for (long due = FROM - SECOND / 2; due < untilMicros; due += SECOND / RATE) {
      transactions.add(new Transaction(due + 2000, 2000));
    }
    return transactions;
  }

  private static ProductionSide.Progress progress(List<Transaction> transactions, long length) {
    return TransactionProgress.of(transactions, RATE, FROM, FROM + length, EPOCH_NANOS);
  }

  private static SpeedSeries speed(ProductionSide.Progress progress, long length) {
    return SpeedSeries.between(progress.marks(), 77_000, 77_000 + length * 1000, true);
  }

  @Test
  void speedIsTheNumberOfTransactionsThatEndedInEach100Milliseconds() {
    ProductionSide.Progress progress = progress(steady(FROM + 2 * SECOND), SECOND);
    assertThat(progress.marks()).hasSize(11);
    assertThat(progress.marks().get(0)).isEqualTo(new Mark(77_000, 0, 50));
    assertThat(speed(progress, SECOND).intervals()).hasSize(10).containsOnly(new Interval(0.1, 10));
  }

  @Test
  void anEpisodeThatIsNoMultipleOfAWindowEndsWithAShorterOne() {
    long length = SECOND / 4;
    SpeedSeries speed = speed(progress(steady(FROM + SECOND), length), length);
    assertThat(speed.intervals()).hasSize(3);
    assertThat(speed.seconds()).isCloseTo(0.25, within(1e-9));
    assertThat(speed.intervals().get(2).seconds()).isCloseTo(0.05, within(1e-9));
  }

  @Test
  void aServerThatStallsHasWindowsWithoutSpeed() {
    SpeedSeries speed = speed(progress(steady(FROM + SECOND), 4 * SECOND), 4 * SECOND);
    assertThat(speed.shareBelow(50)).isCloseTo(0.75, within(1e-9));
  }

  @Test
  void onlyTransactionsThatWereDueInTheEpisodeHaveALatency() {
    List<Transaction> transactions =
        List.of(
            new Transaction(FROM + 1, 2),
            new Transaction(FROM + 10, 10),
            new Transaction(FROM + 3 * SECOND, 2 * SECOND),
            new Transaction(FROM + SECOND + 2, 1));
    assertThat(progress(transactions, SECOND).latencies().counts().values())
        .containsExactlyInAnyOrder(1L, 1L);
  }

  /** 100 a second were due for 3 s after the last one that began; each had waited for 0 to 3 s. */
  @Test
  void whatWasDueAndHadNotBegunCountsWithTheTimeThatItHadWaited() {
    LatencyCounts latencies = progress(steady(FROM + SECOND), 4 * SECOND).latencies();
    assertThat(latencies.counts().values().stream().mapToLong(Long::longValue).sum())
        .isBetween(399L, 401L);
    assertThat(latencies.percentile(50).orElseThrow()).isBetween(0.85e9, 1.05e9);
    assertThat(latencies.percentile(99).orElseThrow()).isBetween(2.6e9, 3e9);
    LatencyCounts steady = progress(steady(FROM + 5 * SECOND), 4 * SECOND).latencies();
    assertThat(steady.percentile(100).orElseThrow()).isLessThan(2.1e6);
  }

  @Test
  void withoutATransactionThereIsNeitherSpeedNorLatency() {
    ProductionSide.Progress progress = progress(List.of(), SECOND);
    assertThat(speed(progress, SECOND).shareBelow(1)).isCloseTo(1, within(1e-9));
    assertThat(progress.latencies().percentile(50)).isEmpty();
  }
}
