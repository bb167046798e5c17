/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.FakeYarn;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.report.metrics.Metric;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with every part on has every metric of the catalogue, and no other. */
@Tag("hadoop")
class EveryMetricTest {
  private final FakeYarn yarn = new FakeYarn();
  private static final String REGULATOR = "regulator.";

  @TempDir private Path proc;

  @Test
  void everyMetricIsRegisteredUnderItsName() throws Exception {
    Files.writeString(proc.resolve("meminfo"), "MemTotal: 1000 kB\nMemAvailable: 600 kB\n");
    CharonNode node =
        new CharonNode(
            TestSettings.of(
                "cgroup.enabled",
                "true",
                REGULATOR + "memory-mode",
                "observe",
                REGULATOR + "cpu-mode",
                "observe",
                REGULATOR + "cpu-water-line-percent",
                "65",
                REGULATOR + "cores-mode",
                "observe",
                REGULATOR + "network-mode",
                "observe",
                "evict-line.mode",
                "observe",
                "evict-psi.mode",
                "observe",
                "evict-satisfaction.mode",
                "observe",
                "pause.mode",
                "observe"),
            Surroundings.ofThisMachine(proc),
            yarn);
    yarn.killer(containerId -> {});
    node.start();
    Set<String> registered;
    try {
      registered =
          ManagementFactory.getPlatformMBeanServer()
              .queryNames(new ObjectName("charon:*"), null)
              .stream()
              .map(name -> name.getKeyProperty("name"))
              .collect(Collectors.toSet());
    } finally {
      node.close();
    }

    assertThat(Metric.values())
        .allSatisfy(
            metric ->
                assertThat(metric.labelValues().stream().map(metric::jmxName))
                    .as(metric.name())
                    .anyMatch(registered::contains));
    assertThat(
            Arrays.stream(Metric.values())
                .flatMap(metric -> metric.labelValues().stream().map(metric::jmxName)))
        .containsAll(registered);
  }
}
