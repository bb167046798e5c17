/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cfsquota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.CpuQuotaSettings;
import io.charon.core.law.CpuWaterLine;
import io.charon.core.law.RangeSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.WaterLine;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.sensor.NodeSides;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a production loop with 0.9 core and a best-effort loop on this machine's kernel.
 * Best-effort gets the part below the water line that production leaves: 0.4 core of two. The
 * foreground is the production cgroup alone, independently of other load on this machine.
 */
@ExtendWith(RealCgroups.class)
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CpuWaterLineKernelTest {
  private static final WaterLine LINE = new WaterLine(65);
  private static final double PRODUCTION_CORES = 0.9;
  private static final long TICK_MILLIS = 250;

  /**
   * The law's clock is that many times as fast as the kernel's; loads are measured in real time.
   */
  private static final int FASTER = 3;

  @TempDir private Path audit;
  private CgroupLayout layout;
  private CgroupWriter writer;
  private CgroupHierarchy cpu;
  private NodeSnapshotReader reader;
  private Process production;
  private Process bestEffort;

  @BeforeEach
  void aBusyLoopOnEachSide() throws IOException {
    layout = RealCgroups.layout("water-line");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Optional<CgroupHierarchy> hierarchy = layout.hierarchy(CgroupController.CPU);
    assumeThat(hierarchy).as("cpu controller").isPresent();
    cpu = hierarchy.get();
    assumeThat(bandwidth(ContainerClass.BEST_EFFORT).unavailable()).isEmpty();
    reader =
        NodeSnapshotReader.of(
            NodeSides.of(layout, List.of(layout.classPath(ContainerClass.PRODUCTION))),
            Path.of("/proc"),
            new Helper(List.of("/nonexistent/ua-killer"), Duration.ofSeconds(1)),
            nanos -> ResourceUse.missing("no network"));
    weighMost(layout.nodeDirectory(cpu).getParent());
    bandwidth(ContainerClass.PRODUCTION).limit(PRODUCTION_CORES);
    production = loop("production", ContainerClass.PRODUCTION);
    bestEffort = loop("best-effort", ContainerClass.BEST_EFFORT);
  }

  private CpuBandwidth bandwidth(ContainerClass side) {
    return new CpuBandwidth(layout.classDirectory(cpu, side), cpu.version());
  }

  /** Gives the loops their full quota even on a machine with other load. */
  private void weighMost(Path cgroup) throws IOException {
    boolean first = cpu.version() == CgroupVersion.V1;
    Path file = cgroup.resolve(first ? "cpu.shares" : "cpu.weight");
    if (Files.exists(file)) {
      Files.writeString(file, first ? "262144" : "10000");
    }
  }

  private Process loop(String id, ContainerClass side) throws IOException {
    String enter = RealCgroups.entering(writer.createContainer(id, side, OptionalInt.empty()));
    return new ProcessBuilder("/bin/sh", "-c", enter + "while :; do :; done").start();
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (Process process : new Process[] {production, bestEffort}) {
      if (process != null) {
        process.destroyForcibly().waitFor();
      }
    }
    if (reader != null) {
      reader.close();
    }
    assertThat(writer.removeContainer("production")).isTrue();
    assertThat(writer.removeContainer("best-effort")).isTrue();
    assertThat(writer.removeNode()).isTrue();
  }

  private ActionExecutor executor() {
    return TestExecutor.of(
        Optional.of(new AuditLog(audit, 1 << 20)),
        new Counter(),
        Map.of(Limit.CPU_QUOTA, CfsQuota.actuator(bandwidth(ContainerClass.BEST_EFFORT))));
  }

  private static MechanismRunner runner(ActionExecutor executor) {
    CpuQuotaSettings quota =
        CpuQuotaSettings.ofThePaper(
            new RangeSettings(Duration.ofSeconds(2 * FASTER), 1),
            CpuQuotaSettings.Worse.HIGHER,
            0.1,
            1024,
            0.5);
    MechanismRunner runner =
        new MechanismRunner(
            List.of(
                new MechanismRunner.Entry(new CpuWaterLine(LINE, quota), RegulatorMode.ENFORCE)),
            executor);
    runner.start();
    return runner;
  }

  private void ticks(MechanismRunner runner, Duration howLong) throws InterruptedException {
    long endNanos = System.nanoTime() + howLong.toNanos();
    long nanos;
    do {
      nanos = System.nanoTime();
      runner.tick(new Snapshot(FASTER * nanos, reader.read(nanos, Optional.empty())));
      Thread.sleep(TICK_MILLIS);
    } while (nanos - endNanos < 0);
  }

  private double quotaCores() throws IOException {
    String quota = Files.readString(bandwidth(ContainerClass.BEST_EFFORT).file()).strip();
    return Double.parseDouble(quota.split(" ", -1)[0]) / 100_000;
  }

  private String lastAuditLine() throws IOException {
    try (Stream<Path> files = Files.list(audit)) {
      List<String> lines = Files.readAllLines(files.findFirst().orElseThrow());
      return lines.get(lines.size() - 1);
    }
  }

  @Test
  void bestEffortGetsWhatProductionLeavesBelowTheLine() throws Exception {
    try (ActionExecutor executor = executor()) {
      MechanismRunner runner = runner(executor);
      // One window, and then at most two ticks for each tenth of the node up to 65 %.
      ticks(runner, Duration.ofSeconds(6));

      MechanismReport report = runner.states().get(0).report();
      double cores = report.value(MechanismReport.CAPACITY).orElseThrow();
      double load =
          Math.max(
              report.value(MechanismReport.VALUE).orElseThrow(),
              report.value(MechanismReport.MEAN).orElseThrow());
      double left = 0.65 * cores - load;
      assertThat(load).as("of 0.9, where the machine has them").isBetween(0.3, 1.1);
      assertThat(quotaCores())
          .as("of %s cores production uses %s", cores, load)
          .isBetween(left / 2, left + 0.011 * cores);

      reader.read(System.nanoTime(), Optional.empty());
      Thread.sleep(1000);
      double used =
          reader.read(System.nanoTime(), Optional.empty()).cpu().bestEffort().value().orElseThrow();
      assertThat(used).isLessThan(1.2 * quotaCores() + 0.05);

      assertThat(lastAuditLine())
          .contains("\"regulator\":\"cpu-water-line\"")
          .contains("water line 65 % of ");

      production.destroyForcibly().waitFor();
      for (int seconds = 0; seconds < 30 && quotaCores() < 0.6 * cores; seconds++) {
        ticks(runner, Duration.ofSeconds(1));
      }
      assertThat(quotaCores()).as("production is gone").isGreaterThan(0.6 * cores);
    }
  }
}
