/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A metric of a node. JMX, Prometheus, Hadoop's Metrics2 and docs/metrics.md use the names that are
 * defined here.
 *
 * <p>A name contains the key of its label in braces. JMX replaces it by the label's value ({@code
 * charon_freeze_freeze_decisions}); elsewhere it is omitted ({@code
 * charon_freeze_decisions_total{action="freeze"}}).
 */
public sealed interface Metric permits NodeMetric, MechanismMetric {
  /** The type of a metric. */
  enum Type {
    /** A value that may rise and fall. */
    GAUGE,
    /** A value that only grows, from 0 at each start of the NodeManager. */
    COUNTER,
    /** Counts of values in buckets. */
    HISTOGRAM;

    /** Returns the type in Prometheus's notation. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns all metrics, in the order of docs/metrics.md. */
  static List<Metric> all() {
    return Stream.<Metric>concat(
            Arrays.stream(NodeMetric.values()), Arrays.stream(MechanismMetric.values()))
        .toList();
  }

  /** Returns what is to be said of the metric. */
  MetricDefinition definition();

  /** Returns the type. */
  default Type type() {
    return definition().type();
  }

  /** Returns the base unit. */
  default String unit() {
    return definition().unit();
  }

  /** Returns a description on a single line. */
  default String meaning() {
    return definition().meaning();
  }

  /** Returns the use of the metric for an operator. */
  default String use() {
    return definition().use();
  }

  /** Returns the name in Prometheus, without a histogram's suffixes. */
  default String prometheusName() {
    String name = definition().template().replace("{" + labelKey() + "}_", "");
    return type() == Type.COUNTER ? name + "_total" : name;
  }

  /** Returns the key of the label in Prometheus; empty if there is none. */
  default String labelKey() {
    return definition().label().key();
  }

  /** Returns the label's values; one empty value without a label or for names of mechanisms. */
  default List<String> labelValues() {
    return definition().label().all();
  }

  /**
   * Returns the name of one series in JMX.
   *
   * @param labelValue one of {@link #labelValues}, or the name of a mechanism
   * @throws IllegalArgumentException for any other value
   */
  default String jmxName(String labelValue) {
    if (!definition().label().has(labelValue)) {
      throw new IllegalArgumentException(
          this + " has no series '" + labelValue + "', only " + labelValues());
    }
    return definition().template().replace("{" + labelKey() + "}", labelValue);
  }
}
