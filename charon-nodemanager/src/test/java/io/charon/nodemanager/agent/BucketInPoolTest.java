/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.MechanismParts;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a node's cpu-burst and cpu-pool, which write the same files, leave the quota of
 * another program as they found it: the pool finds a bucket, and the bucket follows the pool.
 */
@Tag("hadoop")
class BucketInPoolTest {
  private static final String CONTAINER = "container_1";
  private static final String CGROUP = "cgroup/cpu/charon/production/" + CONTAINER;
  private static final List<String> FOUND = List.of("100000", "200000", "0");
  private static final long ROUND_NANOS = 5_000_000_000L;

  @TempDir private Path root;
  private final Counter failures = new Counter();
  private FakeMachine machine;
  private CgroupLayout layout;
  private List<MechanismParts> parts = List.of();
  private ActionExecutor executor;
  private MechanismRunner runner;
  private long rounds;

  @BeforeEach
  void aContainerWithAQuotaOnEightProcessors() throws Exception {
    machine = FakeMachine.v1(root);
    machine
        .processors(8)
        .file("cgroup/cpuset/charon/production/cpuset.effective_cpus", "0-7\n")
        .file("cgroup/cpuset/charon/production/" + CONTAINER + "/cpuset.effective_cpus", "0-7\n")
        .file(CGROUP + "/cpu.cfs_period_us", FOUND.get(0) + "\n")
        .file(CGROUP + "/cpu.cfs_quota_us", FOUND.get(1) + "\n")
        .file(CGROUP + "/cpu.cfs_burst_us", FOUND.get(2) + "\n");
    used(0, 0);
    layout = machine.detect("/charon");
    start("enforce");
  }

  private void used(long seconds, long throttled) {
    machine
        .file(CGROUP + "/cpuacct.usage", seconds * 1_000_000_000L + "\n")
        .file(CGROUP + "/cpu.stat", "nr_periods 9\nnr_throttled " + throttled + "\n");
  }

  private List<String> seen() throws IOException {
    return List.of(
        machine.read(CGROUP + "/cpu.cfs_period_us"),
        machine.read(CGROUP + "/cpu.cfs_quota_us"),
        machine.read(CGROUP + "/cpu.cfs_burst_us"));
  }

  /** Starts a NodeManager; an earlier one, if any, has ended without cleaning up. */
  private void start(String mode) throws SettingsException {
    Configuration configuration =
        TestSettings.configuration("cpu-burst.mode", mode, "cpu-pool.mode", mode);
    configuration.setBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, true);
    configuration.set(YarnConfiguration.NM_RECOVERY_DIR, root.resolve("recovery").toString());
    parts =
        MechanismList.on(
            new MechanismList.Node(
                TestSettings.read(configuration),
                ProductionNode.machine(root, layout),
                ProductionNode.containers(() -> Map.of(CONTAINER, 1L)),
                new Helper(List.of("/nonexistent/ua-killer"), Duration.ZERO)));
    Map<Limit, Actuator> actuators = new LinkedHashMap<>();
    parts.forEach(one -> actuators.putAll(one.actuators()));
    executor = TestExecutor.of(Optional.empty(), failures, actuators);
    runner =
        new MechanismRunner(
            parts.stream().flatMap(one -> one.entries().stream()).toList(), executor);
    runner.start();
  }

  @AfterEach
  void close() throws IOException {
    for (MechanismParts one : parts) {
      one.close();
    }
  }

  private void round() {
    long nanos = rounds++ * ROUND_NANOS;
    runner.tick(
        new Snapshot(
            nanos, parts.stream().flatMap(one -> one.readings(nanos)).toArray(Reading[]::new)));
  }

  @ParameterizedTest
  @CsvSource({"0, 1000000, false", "1, 1200000, false", "0, 1000000, true", "1, 1200000, true"})
  void theQuotaOfAnotherProgramIsRestored(int roundsAfter, String burst, boolean restarted)
      throws Exception {
    round();
    assertThat(seen()).as("a bucket").containsExactly("500000", "1000000", "1000000");
    used(1, 3);
    round();
    for (int i = 0; i < roundsAfter; i++) {
      round();
    }
    assertThat(seen()).as("raised by the pool").containsExactly("500000", "1200000", burst);
    if (restarted) {
      start("off");
    } else {
      executor.use(Map.of());
    }
    assertThat(seen()).isEqualTo(FOUND);
    assertThat(failures.getCount()).isZero();
  }
}
