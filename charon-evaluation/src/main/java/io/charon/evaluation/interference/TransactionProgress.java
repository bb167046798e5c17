/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.interference.SpeedSeries.Mark;
import io.charon.evaluation.postgres.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes the progress of a server from the transactions of its clients, which are due at a fixed
 * rate whether or not earlier ones have ended.
 */
final class TransactionProgress {
  private static final long WINDOW_MICROS = 100_000;
  private static final long NANOS_PER_MICRO = 1000;
  private static final double MICROS_PER_SECOND = 1e6;

  private TransactionProgress() {}

  /**
   * Returns the progress in an episode: the transactions that had ended by each 100 ms, and the
   * latencies of those that were due in the episode. Clients work on a few transactions at a time,
   * and in the order in which they are due. A transaction that was due after the last one that
   * began has waited from then to the end of the episode at least, and counts with that time.
   * Without it, a server that stalls would look better the longer it stalls.
   *
   * @param transactions transactions that have ended, in any order; times since the epoch
   * @param perSecond rate at which transactions are due
   * @param fromMicros beginning of the episode since the epoch
   * @param toMicros end of the episode since the epoch
   * @param epochNanos {@link System#nanoTime} at the epoch
   */
  static ProductionSide.Progress of(
      List<Transaction> transactions,
      double perSecond,
      long fromMicros,
      long toMicros,
      long epochNanos) {
    return new ProductionSide.Progress(
        marks(transactions, fromMicros, toMicros, epochNanos),
        latencies(transactions, perSecond, fromMicros, toMicros));
  }

  private static List<Mark> marks(
      List<Transaction> transactions, long fromMicros, long toMicros, long epochNanos) {
    long[] ends = transactions.stream().mapToLong(Transaction::endMicros).sorted().toArray();
    List<Mark> marks = new ArrayList<>();
    int ended = 0;
    for (long at = fromMicros; at < toMicros + WINDOW_MICROS; at += WINDOW_MICROS) {
      long until = Math.min(at, toMicros);
      while (ended < ends.length && ends[ended] <= until) {
        ended++;
      }
      marks.add(new Mark(epochNanos + until * NANOS_PER_MICRO, 0, ended));
    }
    return marks;
  }

  private static LatencyCounts latencies(
      List<Transaction> transactions, double perSecond, long fromMicros, long toMicros) {
    Map<Integer, Long> counts = new TreeMap<>();
    for (Transaction transaction : transactions) {
      if (transaction.dueMicros() >= fromMicros && transaction.dueMicros() <= toMicros) {
        add(transaction.latencyMicros(), counts);
      }
    }
    Arrays.stream(waitingMicros(transactions, perSecond, toMicros))
        .forEach(micros -> add(micros, counts));
    return new LatencyCounts(counts);
  }

  /** The time that each transaction had waited by the end that was due and had not begun. */
  private static long[] waitingMicros(
      List<Transaction> transactions, double perSecond, long toMicros) {
    long lastDue = transactions.stream().mapToLong(Transaction::dueMicros).max().orElse(toMicros);
    double between = MICROS_PER_SECOND / perSecond;
    int waiting = (int) Math.max(0, (toMicros - lastDue) / between);
    long[] micros = new long[waiting];
    Arrays.setAll(micros, index -> toMicros - lastDue - (long) ((index + 1) * between));
    return micros;
  }

  private static void add(long micros, Map<Integer, Long> counts) {
    counts.merge(LatencyCounts.bucketOf(micros * NANOS_PER_MICRO), 1L, Long::sum);
  }
}
