/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class CharonMetricsSourceTest {
  private final NodeMetrics metrics = new NodeMetrics();
  private final CharonMetricsSource source = new CharonMetricsSource(metrics::read);

  @Test
  void hadoopsPrometheusPageShowsTheSameNamesLabelsAndNumbers() throws Exception {
    metrics.launched().inc(3);
    metrics.kills("freeze").inc();
    metrics.killFreed("freeze").update(2, TimeUnit.SECONDS);

    assertThat(page())
        .contains("# TYPE charon_launched_containers_total counter")
        .containsPattern("charon_launched_containers_total\\{[^}]*} 3\n")
        .containsPattern("charon_kills_total\\{[^}]*killer=\"freeze\"[^}]*} 1\n")
        .containsPattern(
            "charon_kill_decision_to_freed_seconds_bucket\\{[^}]*killer=\"freeze\",le=\"2.5\"} 1\n")
        .containsPattern(
            "charon_kill_decision_to_freed_seconds_sum\\{[^}]*killer=\"freeze\"[^}]*} 2.0\n");
  }

  @Test
  void aRefusalIsTolerated() {
    MetricsSystem system = mock(MetricsSystem.class);
    when(system.register(any(), any(), any(CharonMetricsSource.class)))
        .thenThrow(new MetricsException("Metrics source Charon already exists!"));

    source.register(system);
  }

  private String page() throws Exception {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    PrometheusMetricsSink sink = new PrometheusMetricsSink();
    collector.getRecords().forEach(sink::putMetrics);
    sink.flush();
    StringWriter page = new StringWriter();
    sink.writeMetrics(page);
    return page.toString();
  }
}
