/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cfsquota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.CpuQuotaRegulator;
import io.charon.core.law.CpuQuotaSettings;
import io.charon.core.law.RegulatedLimit;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.sensor.NodeSides;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the quota of this machine's kernel on a busy loop. */
@ExtendWith(RealCgroups.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CfsQuotaKernelTest {
  private static final String UNLIMITED_V1 = "-1";

  private CgroupLayout layout;
  private CgroupWriter writer;
  private CpuBandwidth bestEffort;
  private NodeSnapshotReader reader;
  private Process busy;

  @BeforeEach
  void aBusyLoopInABestEffortContainer() throws IOException {
    layout = RealCgroups.layout("quota");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Optional<CgroupHierarchy> cpu = layout.hierarchy(CgroupController.CPU);
    assumeThat(cpu).as("cpu controller").isPresent();
    bestEffort =
        new CpuBandwidth(
            layout.classDirectory(cpu.get(), ContainerClass.BEST_EFFORT), cpu.get().version());
    assumeThat(bestEffort.unavailable()).isEmpty();
    reader =
        NodeSnapshotReader.of(
            NodeSides.of(layout, List.of()),
            Path.of("/proc"),
            new Helper(List.of("/nonexistent/ua-killer"), Duration.ofSeconds(1)),
            nanos -> ResourceUse.missing("no network"));
    String enter =
        RealCgroups.entering(
            writer.createContainer("busy", ContainerClass.BEST_EFFORT, OptionalInt.empty()));
    busy = new ProcessBuilder("/bin/sh", "-c", enter + "while :; do :; done").start();
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    if (busy != null) {
      busy.destroyForcibly().waitFor();
    }
    if (reader != null) {
      reader.close();
    }
    assertThat(writer.removeContainer("busy")).isTrue();
    assertThat(writer.removeNode()).isTrue();
  }

  private ActionExecutor executor() {
    return TestExecutor.of(
        Optional.empty(), new Counter(), Map.of(Limit.CPU_QUOTA, CfsQuota.actuator(bestEffort)));
  }

  private static MechanismRunner runner(ActionExecutor executor) {
    CpuQuotaSettings settings =
        CpuQuotaSettings.ofThePaper(
            CpuQuotaSettings.defaults(), CpuQuotaSettings.Worse.HIGHER, 0.1, 0.2, 0.1);
    MechanismRunner runner =
        new MechanismRunner(
            List.of(
                new MechanismRunner.Entry(
                    new RegulatedLimit(
                        CfsQuota.subject(HealthSignal.PRESSURE, Limit.CPU_QUOTA, Optional.empty()),
                        new CpuQuotaRegulator(settings),
                        CheckedAvailability.fixed(Availability.available())),
                    RegulatorMode.ENFORCE)),
            executor);
    runner.start();
    return runner;
  }

  /** Simulates seconds of a foreground with normal behavior, without waiting. */
  private static void ticks(MechanismRunner runner, int seconds) {
    Measurement missing = Measurement.missing("not asked for");
    for (int second = 0; second < seconds; second++) {
      // Two alternating values, so that sigma is not zero.
      runner.tick(
          new Snapshot(
              second * 1_000_000_000L,
              new NodeReading(
                  second * 1_000_000_000L,
                  "a test",
                  ResourceUse.missing("not asked for"),
                  new ResourceUse(missing, missing, Measurement.of(2)),
                  CoreUse.missing("not asked for"),
                  ResourceUse.missing("not asked for"),
                  new NodeReading.Health(
                      Measurement.of(0.5 + 0.01 * (second % 2)), missing, missing),
                  missing)));
    }
  }

  private String quota() throws IOException {
    String[] words = Files.readString(bestEffort.file()).strip().split(" ", -1);
    return words[0].equals("max") ? UNLIMITED_V1 : words[0];
  }

  private double cores() throws InterruptedException {
    reader.read(System.nanoTime(), Optional.empty());
    Thread.sleep(1000);
    return reader
        .read(System.nanoTime(), Optional.empty())
        .cpu()
        .bestEffort()
        .value()
        .orElseThrow();
  }

  @Test
  void aBusyLoopIsHeldToTheQuotaAndLetGoAtTheEnd() throws Exception {
    try (ActionExecutor executor = executor()) {
      MechanismRunner runner = runner(executor);
      ticks(runner, 20);
      assertThat(runner.states().get(0).result()).startsWith("applied: cpu.");
      assertThat(quota()).isEqualTo("20000");
      assertThat(cores()).isBetween(0.05, 0.25);
      NodeReading snapshot = reader.read(System.nanoTime(), Optional.empty());
      assertThat(snapshot.throttled().isPresent()).isTrue();
    }
    assertThat(quota()).isEqualTo(UNLIMITED_V1);
  }

  @Test
  void whatAKilledAgentLeftBehindGoesAtTheNextStart() throws Exception {
    ticks(runner(executor()), 20); // never closed
    assertThat(quota()).isEqualTo("20000");

    try (ActionExecutor next = executor()) {
      assertThat(next.unavailable(Limit.CPU_QUOTA)).isEmpty();
      assertThat(quota()).isEqualTo(UNLIMITED_V1);
    }
  }

  @Test
  void theFirstWindowGivesNextToNothing() throws Exception {
    try (ActionExecutor executor = executor()) {
      MechanismRunner runner = runner(executor);
      ticks(runner, 3);
      assertThat(quota()).isEqualTo("1000");
    }
  }
}
