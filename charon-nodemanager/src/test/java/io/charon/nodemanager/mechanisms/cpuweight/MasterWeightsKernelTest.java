/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuweight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.report.audit.Audit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests many masters that start at once beside production, on this machine's kernel. */
@ExtendWith(RealCgroups.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MasterWeightsKernelTest {
  private static final int MASTERS = 20;

  /** Total processor time over which shares are compared. */
  private static final Duration MEASURED = Duration.ofMillis(1500);

  private final List<Process> processes = new ArrayList<>();
  private CgroupLayout layout;
  private CgroupWriter writer;
  private boolean known;

  @BeforeEach
  void prepare() throws IOException {
    layout = RealCgroups.layout("masters");
    assumeThat(layout.hierarchy(CgroupController.CPU)).as("cpu controller").isPresent();
    assumeThat(Path.of("/usr/bin/taskset")).as("taskset").isExecutable();
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    if (writer != null) {
      writer.containers().forEach(writer::removeContainer);
      assertThat(writer.removeNode()).isTrue();
    }
  }

  /** Weights of a tenth alone would leave production a third; without weights it would get 1/21. */
  @Test
  void allOfThemTakeNoMoreOfAProcessorThanOneProductionContainer() throws Exception {
    MasterWeights weights =
        new MasterWeights(
            application -> known ? Optional.of(true) : Optional.empty(),
            (master, percent, idle) ->
                writer.setCpuWeight(master.containerId(), ContainerClass.PRODUCTION, percent, idle),
            master -> Duration.ZERO,
            System::nanoTime,
            Audit.direct(Optional.empty(), Clock.systemUTC(), new Counter()));
    weights.change(OptionalInt.of(10), false);
    Process production = busy("production_1");
    List<Process> masters = new ArrayList<>();
    for (int i = 0; i < MASTERS; i++) {
      masters.add(busy("master_" + i));
      weights.started(ContainerInfos.master("master_" + i, 1));
    }
    assertThat(share(production, masters)).as("nobody knows whose they are").isLessThan(0.2);

    known = true; // the ResourceManager has answered
    weights.tick();
    assertThat(share(production, masters)).isBetween(0.4, 0.6);

    weights.change(OptionalInt.of(10), true);
    if (Files.exists(idleFile("master_0"))) {
      assertThat(share(production, masters)).as("idle").isGreaterThan(0.9);
    }

    weights.change(OptionalInt.empty(), false);
    assertThat(share(production, masters)).as("turned off").isLessThan(0.2);
    assertThat(writer.warnings()).isEmpty();
  }

  private Path idleFile(String container) {
    return layout
        .containerDirectory(
            layout.hierarchy(CgroupController.CPU).orElseThrow(),
            ContainerClass.PRODUCTION,
            container)
        .resolve("cpu.idle");
  }

  private Process busy(String container) throws IOException {
    List<Path> procs =
        writer.createContainer(container, ContainerClass.PRODUCTION, OptionalInt.empty());
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                RealCgroups.entering(procs)
                    + "exec taskset -c "
                    + oneProcessor()
                    + " sh -c 'while :; do :; done'")
            .inheritIO()
            .start();
    processes.add(process);
    return process;
  }

  /** Returns the share of production in the time that all of them get from now on. */
  private static double share(Process production, List<Process> masters)
      throws InterruptedException {
    Duration before = used(production);
    Duration mastersBefore = used(masters);
    Duration mine = Duration.ZERO;
    Duration all = Duration.ZERO;
    while (all.compareTo(MEASURED) < 0) {
      Thread.sleep(50);
      mine = used(production).minus(before);
      all = mine.plus(used(masters)).minus(mastersBefore);
    }
    return (double) mine.toNanos() / all.toNanos();
  }

  private static Duration used(List<Process> all) {
    return all.stream().map(MasterWeightsKernelTest::used).reduce(Duration.ZERO, Duration::plus);
  }

  private static Duration used(Process process) {
    return process.info().totalCpuDuration().orElseThrow();
  }

  private static String oneProcessor() throws IOException {
    String allowed =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("Cpus_allowed_list:"))
            .findFirst()
            .orElseThrow();
    return allowed.replaceAll("\\D*(\\d+).*", "$1");
  }
}
