/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.statistics.Fluctuation;
import io.charon.evaluation.statistics.Percentiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Answers of a foreground. Latency counts from the moment at which a request was due, so that one
 * that had to wait for others is late, too (no coordinated omission).
 *
 * @param answered requests that were answered
 * @param failed how many were not
 */
record Requests(List<Answer> answered, int failed) {
  /** Nothing was asked. */
  static final Requests NONE = new Requests(List.of(), 0);

  /** With fewer answers, the 99th percentile is hardly more than the maximum. */
  static final int MIN_FOR_P99 = 200;

  /**
   * One request.
   *
   * @param dueNanos when it was due, on the clock of {@link System#nanoTime}
   * @param latencyNanos from then to its answer
   */
  record Answer(long dueNanos, long latencyNanos) {}

  Requests {
    answered = List.copyOf(answered);
  }

  /** Those that were due in an interval. */
  Requests between(long fromNanos, long toNanos) {
    return new Requests(
        answered.stream()
            .filter(answer -> answer.dueNanos() - fromNanos >= 0)
            .filter(answer -> answer.dueNanos() - toNanos < 0)
            .toList(),
        failed);
  }

  /** How many answers came in an interval. */
  long answeredBetween(long fromNanos, long toNanos) {
    return answered.stream()
        .map(answer -> answer.dueNanos() + answer.latencyNanos())
        .filter(end -> end - fromNanos >= 0 && end - toNanos < 0)
        .count();
  }

  /** A percentile of latency, milliseconds; empty without answers. */
  OptionalDouble percentileMillis(double percent) {
    return Percentiles.of(millis(), percent);
  }

  /** Mean latency, milliseconds; empty without answers. */
  OptionalDouble meanMillis() {
    return millis().stream().mapToDouble(Double::doubleValue).average();
  }

  /**
   * How much the 99th percentile goes up and down over consecutive parts of {@value #MIN_FOR_P99}
   * answers, by when they were due; what is left over at the end is not counted.
   */
  Fluctuation fluctuation() {
    List<Double> inOrder =
        answered.stream()
            .sorted(Comparator.comparingLong(Answer::dueNanos))
            .map(answer -> answer.latencyNanos() / 1e6)
            .toList();
    List<Double> parts = new ArrayList<>();
    for (int end = MIN_FOR_P99; end <= inOrder.size(); end += MIN_FOR_P99) {
      Percentiles.of(inOrder.subList(end - MIN_FOR_P99, end), 99).ifPresent(parts::add);
    }
    return Fluctuation.of(parts);
  }

  private List<Double> millis() {
    return answered.stream().map(answer -> answer.latencyNanos() / 1e6).toList();
  }
}
