/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.report.metrics.Metric;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that a node with every part enabled has exactly the metrics of the catalogue. */
@Tag("hadoop")
class EveryMetricTest {
  @TempDir private Path proc;

  @Test
  void everyMetricIsRegisteredUnderItsName() throws Exception {
    Set<String> registered = EveryPart.metrics(proc);
    assertThat(Metric.all())
        .allSatisfy(
            metric ->
                assertThat(registered)
                    .as(metric.prometheusName())
                    .anyMatch(name -> isOf(metric, name)));
    assertThat(registered)
        .allMatch(name -> Metric.all().stream().anyMatch(metric -> isOf(metric, name)));
  }

  private static boolean isOf(Metric metric, String name) {
    return metric.labelKey().equals("regulator")
        ? name.matches(metric.jmxName("any").replace("_any_", "_[a-z_]+_"))
        : metric.labelValues().stream().map(metric::jmxName).anyMatch(name::equals);
  }
}
