/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * All attempts of one variant with one container size.
 *
 * @param variant the variant
 * @param megabytes the size
 * @param attempts attempts in the order of measurement
 */
record KillSummary(String variant, int megabytes, List<KillMeasurement> attempts) {
  KillSummary {
    attempts = List.copyOf(attempts);
  }

  /**
   * Returns one summary for each variant and size, in the given order: by variant, then by size.
   */
  static List<KillSummary> of(
      List<String> variants, List<Integer> sizes, List<KillMeasurement> all) {
    List<KillSummary> summaries = new ArrayList<>();
    for (String variant : variants) {
      for (int size : sizes) {
        summaries.add(
            new KillSummary(
                variant,
                size,
                all.stream()
                    .filter(one -> one.variant().equals(variant) && one.megabytes() == size)
                    .toList()));
      }
    }
    return summaries;
  }

  long count(KillMeasurement.End end) {
    return attempts.stream().filter(one -> one.end() == end).count();
  }

  /** Returns the number of kills whose times until the memory was free are only lower bounds. */
  long unfreed() {
    return attempts.stream().filter(KillMeasurement::unfreed).count();
  }

  Latencies onsetToDecision() {
    return latencies(KillMeasurement::onsetToDecision);
  }

  /** Returns the times from the onset of thrash until the memory was free. */
  Latencies onsetToFreed() {
    return latencies(
        one ->
            one.decisionToFreed().isPresent() && one.onsetToDecision().isPresent()
                ? OptionalDouble.of(
                    one.onsetToDecision().getAsDouble() + one.decisionToFreed().getAsDouble())
                : OptionalDouble.empty());
  }

  Latencies decisionToLastSignal() {
    return latencies(KillMeasurement::decisionToLastSignal);
  }

  Latencies decisionToGone() {
    return latencies(KillMeasurement::decisionToGone);
  }

  Latencies decisionToFreed() {
    return latencies(KillMeasurement::decisionToFreed);
  }

  /**
   * Returns the killing delay for 100 MB, because the time of release is proportional to memory.
   */
  Latencies signalToFreedPer100Megabytes() {
    return latencies(
        one ->
            one.signalToFreed().isPresent()
                ? OptionalDouble.of(one.signalToFreed().getAsDouble() * 100 / megabytes)
                : OptionalDouble.empty());
  }

  private Latencies latencies(Function<KillMeasurement, OptionalDouble> part) {
    return new Latencies(
        attempts.stream().map(part).flatMap(value -> value.stream().boxed()).toList());
  }
}
