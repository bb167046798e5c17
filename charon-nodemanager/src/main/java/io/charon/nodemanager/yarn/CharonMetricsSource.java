/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.report.metrics.Metric;
import io.charon.nodemanager.report.metrics.MetricFamily;
import io.charon.nodemanager.report.metrics.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides the node's metrics to Hadoop's own sinks (Metrics2): one record for each set of labels,
 * which become its tags. Hadoop prefixes each metric with the record's name, so that {@code /prom}
 * shows the names of {@link Metric}.
 */
final class CharonMetricsSource implements MetricsSource {
  private static final Logger LOG = LoggerFactory.getLogger(CharonMetricsSource.class);
  private static final String NAME = "Charon";
  private static final String PREFIX = "charon_";

  private final Supplier<List<MetricFamily>> metrics;

  CharonMetricsSource(Supplier<List<MetricFamily>> metrics) {
    this.metrics = metrics;
  }

  /** Adds the source to Hadoop's metrics; a failure is only logged. */
  void register(MetricsSystem system) {
    try {
      system.register(NAME, "Best-effort jobs on idle memory", this);
    } catch (RuntimeException e) {
      LOG.warn("cannot add Charon's metrics to Hadoop's metrics system", e);
    }
  }

  /** Removes the source from Hadoop's metrics. */
  static void unregister(MetricsSystem system) {
    system.unregisterSource(NAME);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    Map<Map<String, String>, MetricsRecordBuilder> records = new LinkedHashMap<>();
    for (MetricFamily family : metrics.get()) {
      for (Sample sample : family.samples()) {
        MetricsRecordBuilder record =
            records.computeIfAbsent(sample.labels(), labels -> record(collector, labels));
        add(record, family.metric(), sample);
      }
    }
  }

  private static MetricsRecordBuilder record(
      MetricsCollector collector, Map<String, String> labels) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("yarn");
    labels.forEach((key, value) -> record.tag(Interns.info(key, "label " + key), value));
    return record;
  }

  private static void add(MetricsRecordBuilder record, Metric metric, Sample sample) {
    String name = metric.prometheusName().substring(PREFIX.length()) + sample.suffix();
    MetricsInfo info = Interns.info(name, metric.meaning());
    boolean counts = metric.type() != Metric.Type.GAUGE && !sample.suffix().equals("_sum");
    if (counts) {
      record.addCounter(info, (long) sample.value());
    } else {
      record.addGauge(info, sample.value());
    }
  }
}
