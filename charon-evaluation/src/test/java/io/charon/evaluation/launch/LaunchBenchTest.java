/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.evaluation.killer.TimeBudget;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Uses real executors and real cgroups. */
@Tag("hadoop")
class LaunchBenchTest {
  private static final Path STAND_IN =
      Path.of("../integration-tests/src/test/scripts/container-executor").toAbsolutePath();

  @BeforeEach
  void needsRoot() {
    boolean able =
        System.getProperty("user.name").equals("root")
            && (Files.isWritable(Path.of("/sys/fs/cgroup/memory"))
                || Files.isWritable(Path.of("/sys/fs/cgroup/cgroup.subtree_control")))
            && Files.isExecutable(Path.of("/usr/bin/setpriv"));
    if (!able) {
      System.out.println("SKIPPED LaunchBenchTest: needs root, setpriv and writable cgroups");
    }
    assumeTrue(able, "needs root, setpriv and writable cgroups");
  }

  @Test
  @Tag("long")
  void everyContainerIsTimedAndCharonsAreInTheirCgroups() throws Exception {
    LaunchOptions options =
        new LaunchOptions(
            List.of(LaunchExecutor.values()), List.of(ContainerClass.BEST_EFFORT), 1, STAND_IN);

    LaunchResult result =
        new LaunchBench(Path.of("/nonexistent"), new PrintWriter(new StringWriter()))
            .run(options, TimeBudget.unlimited());

    assertThat(result.series()).hasSize(2);
    for (LaunchSeries series : result.series()) {
      assertThat(series.started()).as(series.name()).isEqualTo(2 + result.repeated());
      assertThat(series.outside()).as(series.name()).isZero();
      for (LaunchVariant variant : LaunchVariant.values()) {
        assertThat(series.millis(variant)).as(series.name() + variant).hasSize(1);
        assertThat(series.millis(variant).get(0)).isBetween(0.1, 60_000.0);
      }
    }
    assertThat(LaunchReport.of(result).ok()).isTrue();
  }
}
