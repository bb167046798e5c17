/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.processlimit;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.ProcessLimit.Use;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.Requirement;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.ProcessCount;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.config.ProcessLimitSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.execution.TestExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the mechanism on this machine's kernel against a fork bomb, in cgroups that may have 300
 * processes together.
 */
@ExtendWith(RealCgroups.class)
@Tag("hadoop")
class ProcessLimitKernelTest {
  private static final long BOUND = 300;
  private static final long RESERVE = 75;
  private static final String BEST_EFFORT = "best";
  private static final String FORKS_OF_PRODUCTION = "for i in 1 2 3 4 5 6 7 8; do sleep 1 & done";

  private final List<Process> started = new ArrayList<>();
  private CgroupLayout layout;
  private CgroupWriter writer;
  private CgroupHierarchy pids;
  private ProcessCount all;
  private ProcessCount bestEffort;

  @BeforeEach
  void aNodeWith300Processes() throws Exception {
    layout = RealCgroups.layout("pids");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Optional<CgroupHierarchy> found = layout.hierarchy(CgroupController.PROCESSES);
    Requirement.require(
        ProcessLimitKernelTest.class, found.isPresent(), "the pids controller is not mounted");
    pids = found.orElseThrow();
    all = new ProcessCount(layout.nodeDirectory(pids), pids.version());
    bestEffort = new ProcessCount(directory(ContainerClass.BEST_EFFORT), pids.version());
    assertThat(all.limit(BOUND)).isEqualTo("pids.max=300");
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (String id : writer.containers()) {
      assertThat(writer.removeContainer(id)).isTrue();
    }
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    await("production's children have ended", () -> all.current() == 0);
    assertThat(writer.removeNode()).isTrue();
  }

  private Path directory(ContainerClass containerClass) {
    return layout.classDirectory(pids, containerClass);
  }

  private Process start(String shell, List<Path> procs, String command) throws IOException {
    Process process =
        new ProcessBuilder(shell, "-c", RealCgroups.entering(procs) + command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    started.add(process);
    return process;
  }

  /** Bash, unlike other shells, tries again and again if it cannot fork. */
  private void startForkBomb() throws Exception {
    start(
        "/bin/bash",
        writer.createContainer(BEST_EFFORT, ContainerClass.BEST_EFFORT, OptionalInt.empty()),
        "while :; do sleep 1000 & done");
  }

  /** Returns whether production can start eight processes. */
  private boolean productionForks() throws Exception {
    Path procs = CgroupFile.PROCS.path(directory(ContainerClass.PRODUCTION), pids.version());
    return start("/bin/sh", List.of(procs), FORKS_OF_PRODUCTION).waitFor() == 0;
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    for (int i = 0; !condition.call(); i++) {
      assertThat(i).as(what).isLessThan(1_000);
      Thread.sleep(20);
    }
  }

  private SingleMechanism<Use> parts(RegulatorMode mode) {
    return ProcessLimitParts.of(
        new ProcessLimitSettings(mode, RESERVE / (double) BOUND),
        Optional.of(layout),
        Path.of("/proc"));
  }

  private static void tick(MechanismRunner runner, SingleMechanism<Use> parts) {
    runner.tick(new Snapshot(1, parts.readings(1).toArray(Reading[]::new)));
  }

  @Test
  void withoutTheLimitAForkBombStopsProduction() throws Exception {
    startForkBomb();
    await("the bomb has all", () -> all.current() == BOUND);

    assertThat(productionForks()).isFalse();
  }

  @Test
  void productionForksBesideABombAlsoWhenTheMechanismIsMadeAnew() throws Exception {
    SingleMechanism<Use> parts = parts(RegulatorMode.ENFORCE);
    ActionExecutor executor = TestExecutor.of(Optional.empty(), new Counter(), parts.actuators());
    MechanismRunner runner = new MechanismRunner(parts.entries(), executor);
    runner.start();
    tick(runner, parts);
    assertThat(runner.states().get(0).result()).isEqualTo("applied: pids.max=224");

    startForkBomb();
    await("the bomb has what it may have", () -> bestEffort.current() == 224);
    for (int i = 0; i < 5; i++) {
      assertThat(productionForks()).isTrue();
      assertThat(bestEffort.current()).isEqualTo(224);
    }

    executor.use(parts(RegulatorMode.ENFORCE).actuators());
    assertThat(bestEffort.limit()).as("the bomb would keep what it takes").hasValue(224);
    assertThat(productionForks()).isTrue();

    executor.use(parts(RegulatorMode.OFF).actuators());
    assertThat(bestEffort.limit()).isEmpty();
    executor.close();
  }

  @Test
  void observingLimitsNothing() throws Exception {
    SingleMechanism<Use> parts = parts(RegulatorMode.OBSERVE);
    ActionExecutor executor = TestExecutor.of(Optional.empty(), new Counter(), parts.actuators());
    MechanismRunner runner = new MechanismRunner(parts.entries(), executor);
    runner.start();
    tick(runner, parts);

    assertThat(runner.states().get(0).report().cause().orElseThrow())
        .isEqualTo(
            "pids.max of %s is 300, of which others have 0 and 25 %% stay free"
                .formatted(layout.nodeDirectory(pids)));
    assertThat(bestEffort.limit()).isEmpty();
    executor.close();
  }

  @Test
  void whatAnEarlierLifeLeftIsRemoved() throws Exception {
    String unused = bestEffort.limit(7);
    ActionExecutor executor =
        TestExecutor.of(Optional.empty(), new Counter(), parts(RegulatorMode.OFF).actuators());

    assertThat(bestEffort.limit()).isEmpty();
    executor.close();
    assertThat(Files.exists(directory(ContainerClass.BEST_EFFORT))).isTrue();
  }
}
