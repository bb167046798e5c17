/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The first pass: collects statistics of the series. */
final class SeriesSurvey {
  private final Map<String, SeriesFacts> series = new LinkedHashMap<>();
  private int leftOut;

  void add(UsageSample sample) {
    series
        .computeIfAbsent(
            sample.series(), name -> new SeriesFacts(name, sample.capacity().isEmpty()))
        .add(sample);
  }

  /** Removes series with fewer samples, and those whose use is always 0. */
  void removeUnusable(int leastSamples) {
    int all = series.size();
    series.values().removeIf(facts -> !facts.isUsable(leastSamples));
    leftOut = all - series.size();
  }

  /** Returns the series to replay, by name, in the order of their first rows. */
  Map<String, SeriesFacts> series() {
    return series;
  }

  int leftOut() {
    return leftOut;
  }

  SeriesSummary summary() {
    return new SeriesSummary(
        series.size(),
        leftOut,
        new SeriesSummary.Samples(
            sum(SeriesFacts::samples), sum(SeriesFacts::missing), sum(SeriesFacts::aboveCapacity)),
        shortest().seconds(),
        longest().seconds(),
        series.values().stream().mapToDouble(SeriesFacts::meanShare).average().orElseThrow(),
        series.values().stream().mapToDouble(SeriesFacts::peakShare).max().orElseThrow());
  }

  /** Returns the series with the longest time between two samples. */
  SeriesFacts coarsest() {
    return most(SeriesFacts::intervalSeconds);
  }

  SeriesFacts shortest() {
    return most(facts -> -facts.seconds());
  }

  SeriesFacts longest() {
    return most(SeriesFacts::seconds);
  }

  private long sum(ToLongFunction<SeriesFacts> value) {
    return series.values().stream().mapToLong(value).sum();
  }

  private SeriesFacts most(ToDoubleFunction<SeriesFacts> value) {
    return series.values().stream().max(Comparator.comparingDouble(value)).orElseThrow();
  }
}
