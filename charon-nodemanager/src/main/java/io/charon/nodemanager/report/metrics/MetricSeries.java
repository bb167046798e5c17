/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The series of all metrics of this node. Each is in Dropwizard's registry under its JMX name, and
 * can be read with the names and labels of {@link Metric}. Thread-safe.
 */
final class MetricSeries {
  private final MetricRegistry registry = new MetricRegistry();
  private final Map<Metric, Map<String, Series>> series = new HashMap<>();

  /** One series: the registered Dropwizard metric, and a function that reads its samples. */
  private record Series(
      com.codahale.metrics.Metric registered, Function<String, List<Sample>> samples) {}

  MetricRegistry registry() {
    return registry;
  }

  /** Returns the counter of a series, which is created on the first call. */
  Counter counter(Metric metric, String labelValue) {
    return (Counter)
        find(metric, Metric.Type.COUNTER, labelValue, () -> counted(metric, new Counter()));
  }

  /**
   * Returns the timer of a series for durations, recorded in nanoseconds; created on the first
   * call.
   */
  Timer timer(Metric metric, String labelValue) {
    return (Timer)
        find(metric, Metric.Type.HISTOGRAM, labelValue, () -> bucketed(metric, Timer::new));
  }

  /**
   * Returns the histogram of a series for other values, recorded in their base unit; created on the
   * first call.
   */
  Histogram histogram(Metric metric, String labelValue) {
    return (Histogram)
        find(metric, Metric.Type.HISTOGRAM, labelValue, () -> bucketed(metric, Histogram::new));
  }

  /**
   * Adds a value that is computed whenever it is read; totals that are counted elsewhere are
   * possible, too.
   *
   * @throws IllegalArgumentException if the series exists already
   */
  synchronized void gauge(Metric metric, String labelValue, Supplier<Number> value) {
    Gauge<Number> gauge = value::get;
    registry.register(metric.jmxName(labelValue), gauge);
    add(metric, labelValue, new Series(gauge, label -> known(metric, label, value.get())));
  }

  /** Removes a series if it exists. */
  synchronized void forget(Metric metric, String labelValue) {
    if (series.getOrDefault(metric, Map.of()).containsKey(labelValue)) {
      series.get(metric).remove(labelValue);
      registry.remove(metric.jmxName(labelValue));
    }
  }

  /**
   * Returns all series that have a value now. Reads the values without holding a lock, because they
   * may need other locks.
   */
  List<MetricFamily> read() {
    List<MetricFamily> families = new ArrayList<>();
    copy()
        .forEach(
            (metric, byLabel) -> {
              List<Sample> samples = new ArrayList<>();
              byLabel.forEach((label, one) -> samples.addAll(one.samples().apply(label)));
              if (!samples.isEmpty()) {
                families.add(new MetricFamily(metric, samples));
              }
            });
    return families;
  }

  /** Returns a copy in the order of {@link Metric#all}. */
  private synchronized Map<Metric, Map<String, Series>> copy() {
    Map<Metric, Map<String, Series>> copy = new LinkedHashMap<>();
    for (Metric metric : Metric.all()) {
      copy.put(metric, new LinkedHashMap<>(series.getOrDefault(metric, Map.of())));
    }
    return copy;
  }

  private synchronized com.codahale.metrics.Metric find(
      Metric metric, Metric.Type type, String labelValue, Supplier<Series> fresh) {
    if (metric.type() != type) {
      throw new IllegalArgumentException(metric + " is not a " + type.word());
    }
    Series known = series.getOrDefault(metric, Map.of()).get(labelValue);
    if (known != null) {
      return known.registered();
    }
    Series made = fresh.get();
    registry.register(metric.jmxName(labelValue), made.registered());
    add(metric, labelValue, made);
    return made.registered();
  }

  private void add(Metric metric, String labelValue, Series made) {
    series.computeIfAbsent(metric, any -> new LinkedHashMap<>()).put(labelValue, made);
  }

  private static Series counted(Metric metric, Counter counter) {
    return new Series(counter, label -> known(metric, label, counter.getCount()));
  }

  private static Series bucketed(
      Metric metric, Function<Reservoir, com.codahale.metrics.Metric> around) {
    BucketReservoir reservoir = new BucketReservoir(metric.definition().buckets());
    return new Series(
        around.apply(reservoir), label -> reservoir.samples(metric.labelKey(), label));
  }

  /** Returns no sample for an unknown value, because a zero would be taken for a measured value. */
  private static List<Sample> known(Metric metric, String label, Number value) {
    return Double.isNaN(value.doubleValue())
        ? List.of()
        : List.of(Sample.of("", metric.labelKey(), label, value.doubleValue()));
  }
}
