/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @Test
  void everyMetricIsABeanOfTheNodeManagerWhileItRuns() throws Exception {
    try (NodeMetrics metrics = new NodeMetrics()) {
      metrics.gauge(NodeMetric.NODE_CAPACITY, () -> 42);
      metrics.start();
      metrics.launched().inc(3);
      metrics.tick().time(() -> {});

      assertThat(value("charon_launched_containers", "Count")).isEqualTo(3L);
      assertThat(value("charon_rejected_containers", "Count")).isEqualTo(0L);
      assertThat(value("charon_shed_containers", "Count")).isEqualTo(0L);
      assertThat(value("charon_killed_for_memory_containers", "Count")).isEqualTo(0L);
      assertThat(value("charon_preempted_by_yarn_containers", "Count")).isEqualTo(0L);
      assertThat(value("charon_tolerated_failures", "Count")).isEqualTo(0L);
      assertThat(value("charon_tick_seconds", "Count")).isEqualTo(1L);
      assertThat(value("charon_tick_seconds", "DurationUnit")).isEqualTo("seconds");
      assertThat(value("charon_node_capacity_bytes", "Value")).isEqualTo(42L);
      assertThat(value("charon_linux_oom_kills", "Count")).isEqualTo(0L);
      assertThat(value("charon_freeze_freeze_decisions", "Count")).isEqualTo(0L);
    }

    assertThat(server.queryNames(new ObjectName("charon:*"), null)).isEmpty();
  }

  @Test
  void whatIsNotKnownHasNoSample() {
    NodeMetrics metrics = new NodeMetrics();
    metrics.decimal(MechanismMetric.LIMIT_BYTES, "memory", () -> Double.NaN);
    metrics.decimal(MechanismMetric.LIMIT_CORES, "cpu", () -> 1.5);

    assertThat(metrics.read())
        .extracting(MetricFamily::metric)
        .contains(MechanismMetric.LIMIT_CORES)
        .doesNotContain(MechanismMetric.LIMIT_BYTES);
  }

  @Test
  void aSeriesIsRegisteredOnce() {
    NodeMetrics metrics = new NodeMetrics();
    assertThat(metrics.kills("kernel")).isSameAs(metrics.kills("kernel"));
    assertThatThrownBy(() -> metrics.kills("anybody")).isInstanceOf(IllegalArgumentException.class);

    metrics.gauge(NodeMetric.QUEUED, () -> 1);
    assertThatThrownBy(() -> metrics.gauge(NodeMetric.QUEUED, () -> 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Object value(String name, String attribute) throws Exception {
    var beans = server.queryNames(new ObjectName("charon:name=" + name + ",*"), null);
    assertThat(beans).hasSize(1);
    return server.getAttribute(beans.iterator().next(), attribute);
  }
}
