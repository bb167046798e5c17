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
import java.util.stream.Stream;

/**
 * Requests of a foreground. Latency counts from the time at which a request was due, so that a
 * request that had to wait for others is late as well (no coordinated omission). A request that
 * fails counts with at least its timeout: without it, the slowest ones would improve a percentile.
 *
 * @param answered requests that were answered
 * @param failed requests that were not
 */
record Requests(List<Answer> answered, List<Answer> failed) {
  /** No requests. */
  static final Requests NONE = new Requests(List.of(), List.of());

  /** Minimum number of answers for a 99th percentile that is more than roughly the maximum. */
  static final int MIN_FOR_P99 = 200;

  /**
   * One request.
   *
   * @param dueNanos time at which it was due, on the clock of {@link System#nanoTime}
   * @param latencyNanos time from then to its answer or its failure; of a failed one at least its
   *     timeout
   */
  record Answer(long dueNanos, long latencyNanos) {}

  Requests {
    answered = List.copyOf(answered);
    failed = List.copyOf(failed);
  }

  /** Returns the requests that were due in an interval. */
  Requests between(long fromNanos, long toNanos) {
    return new Requests(between(answered, fromNanos, toNanos), between(failed, fromNanos, toNanos));
  }

  private static List<Answer> between(List<Answer> requests, long fromNanos, long toNanos) {
    return requests.stream()
        .filter(request -> request.dueNanos() - fromNanos >= 0)
        .filter(request -> request.dueNanos() - toNanos < 0)
        .toList();
  }

  /** Returns the number of answers that arrived in an interval. */
  long answeredBetween(long fromNanos, long toNanos) {
    return answered.stream()
        .map(answer -> answer.dueNanos() + answer.latencyNanos())
        .filter(end -> end - fromNanos >= 0 && end - toNanos < 0)
        .count();
  }

  /** Returns a percentile of the latency, in milliseconds; empty without requests. */
  OptionalDouble percentileMillis(double percent) {
    return Percentiles.of(millis(), percent);
  }

  /** Returns the mean latency, in milliseconds; empty without requests. */
  OptionalDouble meanMillis() {
    return millis().stream().mapToDouble(Double::doubleValue).average();
  }

  /**
   * Returns the fluctuation of the 99th percentile over consecutive parts of {@value #MIN_FOR_P99}
   * requests, ordered by due time. An incomplete part at the end is ignored.
   */
  Fluctuation fluctuation() {
    List<Double> inOrder =
        all()
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
    return all().map(request -> request.latencyNanos() / 1e6).toList();
  }

  private Stream<Answer> all() {
    return Stream.concat(answered.stream(), failed.stream());
  }
}
