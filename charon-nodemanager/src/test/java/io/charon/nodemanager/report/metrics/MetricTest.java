/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.freeze.FreezeDecision;
import io.charon.nodemanager.mechanisms.kill.KillLog;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MetricTest {
  @Test
  void namesAreUniqueAndCarryTheirUnit() {
    assertThat(metrics().map(Metric::prometheusName)).doesNotHaveDuplicates();
    assertThat(metrics().flatMap(MetricTest::jmxNames))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("charon_[a-z_]+"));
    for (Metric metric : Metric.all()) {
      String unit = metric.unit().replace("/", "_per_").replace("second_", "second");
      if (!List.of("boolean", "messages", "attempts", "jobs").contains(metric.unit())) {
        assertThat(metric.prometheusName()).contains(unit);
      }
      assertThat(metric.prometheusName().endsWith("_total"))
          .isEqualTo(metric.type() == Metric.Type.COUNTER);
      assertThat(metric.definition().buckets() != Buckets.NONE)
          .isEqualTo(metric.type() == Metric.Type.HISTOGRAM);
    }
  }

  @Test
  void theLabelIsPartOfTheNameInJmxOnly() {
    assertThat(NodeMetric.FREEZE_DECISIONS.prometheusName())
        .isEqualTo("charon_freeze_decisions_total");
    assertThat(NodeMetric.FREEZE_DECISIONS.labelKey()).isEqualTo("action");
    assertThat(NodeMetric.FREEZE_DECISIONS.jmxName("freeze"))
        .isEqualTo("charon_freeze_freeze_decisions");
    assertThat(MechanismMetric.LIMIT_BYTES.prometheusName())
        .isEqualTo("charon_regulator_limit_bytes");
    assertThat(MechanismMetric.LIMIT_BYTES.jmxName("memory"))
        .isEqualTo("charon_memory_regulator_limit_bytes");
    assertThat(NodeMetric.TICK.jmxName("")).isEqualTo("charon_tick_seconds");
  }

  @Test
  void noNameFromOutsideBecomesASeries() {
    assertThatThrownBy(() -> NodeMetric.KILLS.jmxName("container_1_0001_01_000002"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("linux_oom");
    assertThatThrownBy(() -> MechanismMetric.LIMIT_BYTES.jmxName("container_1_0001_01_000002"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MechanismMetric.LIMIT_BYTES.jmxName(""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(metrics().mapToInt(metric -> metric.labelValues().size()).max())
        .hasValue(KillLog.Killer.values().length);
  }

  @Test
  void labelsKnowEveryKillerAndEveryDecisionOfFreeze() {
    assertThat(NodeMetric.KILLS.labelValues()).isEqualTo(lower(KillLog.Killer.values()));
    assertThat(NodeMetric.FREEZE_DECISIONS.labelValues())
        .isEqualTo(lower(FreezeDecision.Kind.values()));
  }

  private static Stream<String> jmxNames(Metric metric) {
    return metric.labelKey().equals("regulator")
        ? Stream.of(metric.jmxName("memory"))
        : metric.labelValues().stream().map(metric::jmxName);
  }

  private static Stream<Metric> metrics() {
    return Metric.all().stream();
  }

  private static List<String> lower(Enum<?>[] values) {
    return Arrays.stream(values).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
  }
}
