/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.codahale.metrics.Counter;
import io.charon.core.cpuset.Cores;
import io.charon.core.cpuset.Topology;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.helper.Helper;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the cpusets of this machine's kernel; a production container is pinned to its first core.
 */
@ExtendWith(RealCgroups.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BestEffortCpusetKernelTest {
  private CgroupLayout layout;
  private CgroupWriter writer;
  private NodeSnapshotReader reader;
  private Cores all;
  private Process busy;
  private Process late;

  @BeforeEach
  void aBusyLoopInABestEffortContainer() throws IOException {
    layout = RealCgroups.layout("cores");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    assumeThat(writer.cpusets().unavailable()).as("cpuset controller").isEmpty();
    reader =
        NodeSnapshotReader.of(
            NodeSides.of(layout, List.of()),
            Path.of("/proc"),
            new Helper(List.of("/nonexistent/ua-killer"), Duration.ofSeconds(1)),
            nanos -> ResourceUse.missing("no network"));
    reader.enablePinned();
    all = reader.read(0, Optional.empty()).cores().usable();
    assumeThat(all.count()).as("cores").isGreaterThan(1);
    busy = start("busy");
  }

  private Process start(String id) throws IOException {
    String enter =
        RealCgroups.entering(
            writer.createContainer(id, ContainerClass.BEST_EFFORT, OptionalInt.empty()));
    Process process =
        new ProcessBuilder("/bin/sh", "-c", enter + "echo in\nwhile :; do :; done").start();
    assertThat(process.inputReader().readLine()).as("it is in its cgroups").isEqualTo("in");
    return process;
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (Process process : new Process[] {busy, late}) {
      if (process != null) {
        process.destroyForcibly().waitFor();
      }
    }
    if (reader != null) {
      reader.close();
    }
    for (String id : List.of("busy", "late", "pinned")) {
      assertThat(writer.removeContainer(id)).isTrue();
    }
    assertThat(writer.removeNode()).isTrue();
  }

  private void pin(Cores cores) throws IOException {
    writer.createContainer("pinned", ContainerClass.PRODUCTION, OptionalInt.empty());
    CgroupHierarchy cpuset = layout.hierarchy(CgroupController.CPUSET).orElseThrow();
    Files.writeString(
        CgroupFile.CPUSET_CPUS.path(
            layout.containerDirectory(cpuset, ContainerClass.PRODUCTION, "pinned"),
            cpuset.version()),
        cores.toString());
  }

  private static ActionExecutor executor(CgroupWriter writer) {
    return TestExecutor.of(
        Optional.empty(),
        new Counter(),
        Map.of(Limit.CPUS, BestEffortCpuset.actuator(writer.cpusets())));
  }

  private static MechanismRunner runner(ActionExecutor executor) {
    MechanismRunner runner =
        new MechanismRunner(
            List.of(
                new MechanismRunner.Entry(
                    BestEffortCpuset.of(
                        new CoresSettings(false, 1, 0.5, Duration.ofSeconds(15)),
                        Optional.empty(),
                        Availability.available()),
                    RegulatorMode.ENFORCE)),
            executor);
    runner.start();
    return runner;
  }

  private void tick(MechanismRunner runner) {
    long nanos = System.nanoTime();
    runner.tick(new Snapshot(nanos, reader.read(nanos, Optional.empty())));
  }

  private static Cores allowed(Process process) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .map(line -> Cores.parse(line.split("\t", -1)[1]))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aBusyLoopLeavesThePinnedCoreAndComesBackAtTheEnd() throws Exception {
    Cores first = Cores.of(all.numbers().subList(0, 1));
    assertThat(allowed(busy)).isEqualTo(all);
    pin(first);
    try (ActionExecutor executor = executor(writer)) {
      MechanismRunner runner = runner(executor);
      tick(runner);
      MechanismRunner.State state = runner.states().get(0);
      assertThat(state.result()).isEqualTo("applied: cpuset.cpus=" + all.minus(first));
      assertThat(allowed(busy)).isEqualTo(all.minus(first));

      late = start("late");
      assertThat(allowed(late)).isEqualTo(all.minus(first));

      pin(all);
      tick(runner);
      assertThat(allowed(busy)).as("nobody is pinned now").isEqualTo(all);
      pin(first);
      tick(runner);
      assertThat(allowed(late)).isEqualTo(all.minus(first));
    }
    assertThat(allowed(busy)).isEqualTo(all);
    assertThat(allowed(late)).isEqualTo(all);
  }

  @Test
  void theKernelsTopologyNamesEachProcessorOnce() {
    reader.enableTopology(Path.of("/sys"));
    Topology topology = reader.read(1, Optional.empty()).cores().topology();
    assumeThat(topology).as("the kernel tells its topology").isNotEqualTo(Topology.unknown());
    Cores named = Cores.none();
    for (Topology.PhysicalCore core : topology.physicalCores()) {
      assertThat(core.threads().within(named).isEmpty()).isTrue();
      assertThat(core.cache().containsAll(core.threads())).isTrue();
      named = named.with(core.threads());
    }
    assertThat(named.containsAll(all)).isTrue();
  }

  @Test
  void whatAKilledAgentLeftBehindGoesAtTheNextStart() throws Exception {
    Cores first = Cores.of(all.numbers().subList(0, 1));
    pin(first);
    tick(runner(executor(writer))); // never closed
    assertThat(allowed(busy)).isEqualTo(all.minus(first));

    try (ActionExecutor next = executor(new CgroupWriter(layout, Optional.empty()))) {
      assertThat(next.unavailable(Limit.CPUS)).isEmpty();
      assertThat(allowed(busy)).isEqualTo(all);
    }
  }
}
