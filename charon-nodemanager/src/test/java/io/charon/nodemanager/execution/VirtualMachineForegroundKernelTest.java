/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.codahale.metrics.Counter;
import io.charon.core.law.MemoryReserve;
import io.charon.core.law.RangeSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryBound;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.sensor.NodeMemorySensor.MemoryReading;
import io.charon.nodemanager.sensor.NodeSides;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests with virtual machines as the foreground, each a real QEMU in its own cgroup, observed from
 * outside. When another one starts, its memory is reclaimed from a real best-effort process.
 */
@ExtendWith(RealCgroups.class)
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualMachineForegroundKernelTest {
  private static final Path QEMU = Path.of("/usr/bin/qemu-system-x86_64");
  private static final long MEBIBYTE = 1024 * 1024;
  private static final int TASK_MB = 64;

  /** Room for one machine of 128 MiB and the task, but not for another one of 256 MiB. */
  private static final long NODE_MB = 448;

  private final List<Process> processes = new ArrayList<>();
  private final List<Long> bounds = new ArrayList<>();
  private CgroupLayout layout;
  private CgroupWriter writer;
  private NodeSnapshotReader reader;
  private Process task;
  private long second;

  @BeforeEach
  void aBestEffortTask() throws Exception {
    boolean installed = Files.isExecutable(QEMU);
    if (!installed) {
      System.out.println("SKIPPED VirtualMachineForegroundKernelTest: no " + QEMU);
    }
    assumeTrue(installed, "QEMU is installed");
    layout = RealCgroups.layout("machines");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    reader =
        NodeSnapshotReader.of(
            new NodeSides(
                layout,
                layout.classPath(ContainerClass.BEST_EFFORT),
                List.of(layout.classPath(ContainerClass.PRODUCTION) + "/machine-*"),
                layout.classPath(ContainerClass.PRODUCTION)),
            Path.of("/proc"),
            new Helper(List.of("/nonexistent/ua-killer"), Duration.ofSeconds(1)),
            nanos -> ResourceUse.missing("no network"));
    // The tail program keeps a line without end in memory.
    task =
        start(
            "task",
            ContainerClass.BEST_EFFORT,
            "(head -c %d /dev/zero; sleep 80) | tail > /dev/null".formatted(TASK_MB * MEBIBYTE));
    awaitBytes(() -> snapshot().memory().bestEffort().value().orElse(0), TASK_MB);
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    if (reader != null) {
      reader.close();
      for (String container : List.of("task", "machine-1", "machine-2")) {
        assertThat(writer.removeContainer(container)).isTrue();
      }
      assertThat(writer.removeNode()).isTrue();
    }
  }

  @Test
  void whatAnotherMachineTakesIsTakenFromBestEffort() throws Exception {
    startMachine("machine-1", 128);
    try (ActionExecutor executor = executor()) {
      MechanismRunner runner = runner(executor);
      for (int i = 0; i < 10; i++) {
        tick(runner);
      }
      assertThat(bounds.get(bounds.size() - 1))
          .as("beside one machine")
          .isBetween((TASK_MB + 16) * MEBIBYTE, (NODE_MB - 128) * MEBIBYTE);
      assertThat(task.isAlive()).isTrue();

      startMachine("machine-2", 256);
      tick(runner);

      assertThat(task.waitFor()).as("exit code of SIGKILL").isEqualTo(137);
      assertThat(bounds.get(bounds.size() - 1)).isLessThan(TASK_MB * MEBIBYTE);
    }
    assertThat(processes.stream().filter(process -> process != task))
        .as("machines go on")
        .allMatch(Process::isAlive);
  }

  private void tick(MechanismRunner runner) {
    second++;
    runner.tick(
        new Snapshot(
            second * 1_000_000_000L,
            snapshot(),
            new BestEffortTasks(
                List.of(new BestEffortTasks.Task("task", TASK_MB * MEBIBYTE, false)))));
  }

  private ActionExecutor executor() {
    Counter failures = new Counter();
    ActionExecutor executor =
        new ActionExecutor(
            new DyingContainers(System::nanoTime, () -> {}),
            (mechanism, id, reason) -> {},
            ContainerControl.of(Optional.empty(), id -> task.destroyForcibly()),
            Audit.direct(Optional.empty(), Clock.systemUTC(), failures),
            failures,
            System::nanoTime);
    executor.use(
        Map.of(
            Limit.MEMORY,
            new MemoryBound(Optional.of(bytes -> bounds.add(bytes.orElse(Long.MAX_VALUE))))));
    return executor;
  }

  private static MechanismRunner runner(ActionExecutor executor) {
    MechanismRunner runner =
        new MechanismRunner(
            List.of(
                new MechanismRunner.Entry(
                    new MemoryReserve(new RangeSettings(Duration.ofSeconds(5), 2)),
                    RegulatorMode.ENFORCE)),
            executor);
    runner.start();
    return runner;
  }

  /** Returns a reading within the current second, which only {@link #tick} advances. */
  private NodeReading snapshot() {
    return reader.read(
        second * 1_000_000_000L,
        Optional.of(new MemoryReading(new NodeMemory(NODE_MB * MEBIBYTE, 0), 0, 0)));
  }

  /** Starts a machine with all of its memory allocated and its processors stopped. */
  private void startMachine(String name, int megabytes) throws Exception {
    double before = snapshot().memory().foreground().value().orElse(0);
    start(
        name,
        ContainerClass.PRODUCTION,
        "exec %s -accel tcg -m %d -mem-prealloc -S -nodefaults -display none -monitor none"
            .formatted(QEMU, megabytes));
    awaitBytes(() -> snapshot().memory().foreground().value().orElse(0) - before, megabytes);
  }

  private Process start(String container, ContainerClass containerClass, String command)
      throws IOException {
    String enter =
        RealCgroups.entering(
            writer.createContainer(container, containerClass, OptionalInt.empty()));
    Process process =
        new ProcessBuilder("/bin/sh", "-c", enter + command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    processes.add(process);
    return process;
  }

  private static void awaitBytes(DoubleSupplier bytes, int megabytes) throws InterruptedException {
    while (bytes.getAsDouble() < megabytes * MEBIBYTE) {
      Thread.sleep(50); // The timeout of the test ends this loop.
    }
  }
}
