/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.reclaim;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.reclaim.ReclaimScope;
import io.charon.core.law.reclaim.ReclaimSettings;
import io.charon.core.law.reclaim.ReclaimableContainers;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.config.ProactiveReclaimSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the mechanism with the real program and this machine's kernel, in a node of 400 MiB. The
 * test's own clock drives the ticks. The waiting time of a container comes from the kernel and is
 * ignored here, because a container that has just read its file has waited for the disk for the
 * next three minutes.
 */
@ExtendWith(RealCgroups.class)
@Timeout(value = 110, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReclaimKernelTest {
  private static final long MIB = 1 << 20;
  private static final long NODE_BYTES = 400 * MIB;
  private static final long PERIOD = 6_000_000_000L;
  private static final Path TOOLS = Path.of("../kernel-ua-killer/target/native").toAbsolutePath();
  private static final Path KILLER = TOOLS.resolve("ua-killer");

  @TempDir private Path directory;
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private CgroupLayout layout;
  private CgroupWriter writer;
  private SingleMechanism<ReclaimableContainers> parts;
  private ActionExecutor executor;
  private MechanismRunner runner;
  private Path memory;
  private int lines;
  private long nanos = 1_000 * PERIOD;

  @BeforeEach
  void aNode() throws IOException {
    Assumptions.assumeTrue(
        Files.isExecutable(KILLER),
        "no " + KILLER + ": run make -C kernel-ua-killer/src/main/native");
    layout = RealCgroups.layout("reclaim");
    memory = directory.resolve("cold-memory.properties");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Files.writeString(
        CgroupFile.MEMORY_LIMIT.path(layout.nodeDirectory(layout.memory()), layout.version()),
        Long.toString(NODE_BYTES));
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (Process process : processes.values()) {
      process.destroyForcibly().waitFor();
    }
    if (executor != null) {
      executor.close();
    }
    for (String container : processes.keySet()) {
      await(() -> writer.removeContainer(container));
    }
    if (writer != null) {
      await(() -> writer.removeNode());
    }
  }

  private void start(ReclaimScope production, Path program) {
    parts =
        ReclaimParts.of(
            new ProactiveReclaimSettings(
                RegulatorMode.ENFORCE,
                new ReclaimSettings(
                    10, Duration.ofNanos(PERIOD), 100, 100, Duration.ZERO, 0, 0, production),
                Optional.of(memory)),
            Duration.ofNanos(PERIOD),
            Optional.of(layout),
            true,
            Path.of("/proc"),
            new Helper(List.of(program.toString()), Duration.ofSeconds(20)),
            () -> new LastKill(OptionalLong.empty()));
    executor =
        TestExecutor.of(
            Optional.of(new AuditLog(directory.resolve("audit"), 1 << 20)),
            new Counter(),
            parts.actuators());
    runner =
        new MechanismRunner(
            List.of(new MechanismRunner.Entry(parts.mechanism(), RegulatorMode.ENFORCE)), executor);
    runner.start();
  }

  /** Runs one tick; the first ten reclaim nothing. */
  private void sample() {
    nanos += PERIOD;
    runner.tick(new Snapshot(nanos, parts.read(nanos).stream().toArray(Reading[]::new)));
  }

  private void watch() {
    for (int i = 0; i < 10; i++) {
      sample();
    }
    lines = audit().size();
  }

  /** Runs a tick with this number of actions, and waits until they are done. */
  private void take(int actions) throws IOException {
    sample();
    lines += actions;
    await(() -> audit().size() >= lines);
  }

  /**
   * Takes ten ticks on an idle machine; on a busy one the kernel reclaims less in 40 ms, and a tick
   * may take nothing.
   */
  private void takeUntil(String id, ContainerClass side) throws Exception {
    for (int i = 0; i < 200 && holds(id, side) >= 60 * MIB; i++) {
      lines = audit().size();
      sample();
      for (int wait = 0; wait < 100 && audit().size() == lines; wait++) {
        Thread.sleep(5);
      }
    }
    lines = audit().size();
    assertThat(holds(id, side)).isLessThan(60 * MIB);
  }

  private List<String> audit() {
    Path file = directory.resolve("audit/audit.jsonl");
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path cgroup(String id, ContainerClass side) {
    return layout.containerDirectory(layout.memory(), side, id);
  }

  private long number(String id, ContainerClass side, CgroupFile file) throws IOException {
    return Long.parseLong(Files.readString(file.path(cgroup(id, side), layout.version())).strip());
  }

  private long holds(String id, ContainerClass side) throws IOException {
    return number(id, side, CgroupFile.MEMORY_USAGE);
  }

  /** Starts a container that reads a file once, keeps its page cache, and then idles. */
  private void reads(String id, ContainerClass side, int mebibytes) throws Exception {
    Path file = directory.resolve(id + ".data");
    Process creates =
        new ProcessBuilder(
                TOOLS.resolve("workload").toString(),
                "create",
                file.toString(),
                Integer.toString(mebibytes))
            .start();
    assertThat(creates.waitFor()).isZero();
    runs(id, side, "exec " + TOOLS.resolve("workload") + " cache " + file);
    await(() -> holds(id, side) >= mebibytes * MIB);
  }

  private void runs(String id, ContainerClass side, String script) throws IOException {
    String enter = RealCgroups.entering(writer.createContainer(id, side, OptionalInt.empty()));
    processes.put(id, new ProcessBuilder("/bin/sh", "-c", enter + script).start());
  }

  private String limits(String id, ContainerClass side) throws IOException {
    return Files.readString(CgroupFile.MEMORY_LIMIT.path(cgroup(id, side), layout.version()))
        + (layout.version() == CgroupVersion.V1
            ? Files.readString(CgroupFile.SWAPPINESS.path(cgroup(id, side), layout.version()))
            : "");
  }

  @Test
  void unusedPageCacheIsReclaimedAndTheLimitsAreRestored() throws Exception {
    reads("container_1", ContainerClass.BEST_EFFORT, 100);
    reads("container_2", ContainerClass.PRODUCTION, 100);
    String before = limits("container_1", ContainerClass.BEST_EFFORT);
    start(ReclaimScope.NONE, KILLER);
    watch();
    takeUntil("container_1", ContainerClass.BEST_EFFORT);
    assertThat(limits("container_1", ContainerClass.BEST_EFFORT)).isEqualTo(before);
    assertThat(holds("container_2", ContainerClass.PRODUCTION)).isGreaterThanOrEqualTo(100 * MIB);
    assertThat(processes.get("container_1").isAlive()).isTrue();
    sample();
    assertThat(runner.states().get(0).report().value("taken").orElseThrow())
        .isGreaterThan(40.0 * MIB);
  }

  @Test
  void soDoesThatOfProductionIfTheOperatorSaysSo() throws Exception {
    reads("container_2", ContainerClass.PRODUCTION, 100);
    String before = limits("container_2", ContainerClass.PRODUCTION);
    start(ReclaimScope.FILES, KILLER);
    watch();
    takeUntil("container_2", ContainerClass.PRODUCTION);
    assertThat(limits("container_2", ContainerClass.PRODUCTION)).isEqualTo(before);
  }

  /** Uses a program that does only the first half of the real one's work. */
  @Test
  @Tag("must-never")
  void theProgramIsKilledBetweenItsWritesAndTheKernelsLimitIsWhatItWas() throws Exception {
    Assumptions.assumeTrue(layout.version() == CgroupVersion.V1, "cgroup v2 has no low limit");
    Path program = directory.resolve("killed");
    Path low = directory.resolve("low");
    Files.writeString(
        program,
        """
        #!/bin/sh
        read -r line
        for word in $line; do case $word in to=*) to=${word#to=} ;; cgroup=*) cgroup=${word#cgroup=} ;; esac; done
        echo $to > $cgroup/memory.limit_in_bytes
        read -r now < $cgroup/memory.limit_in_bytes
        echo $now > LOW
        kill -9 $$
        """
            .replace("LOW", low.toString()));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    reads("container_1", ContainerClass.BEST_EFFORT, 100);
    String before = limits("container_1", ContainerClass.BEST_EFFORT);
    start(ReclaimScope.NONE, program);
    watch();
    take(1);
    assertThat(Long.parseLong(Files.readString(low).strip()))
        .as("the kernel had the low limit")
        .isLessThan(100 * MIB);
    assertThat(limits("container_1", ContainerClass.BEST_EFFORT)).isEqualTo(before);
    assertThat(audit().get(lines - 1)).contains("failed: ");
    assertThat(memory).doesNotExist();
  }

  /**
   * Anonymous memory without swap, and locked page cache, cannot be reclaimed; attempts must end.
   */
  @Test
  void memoryThatCannotBeReclaimedStaysWithoutAKill() throws Exception {
    Path ready = directory.resolve("ready");
    runs(
        "container_1",
        ContainerClass.BEST_EFFORT,
        "exec perl -e 'syscall(151, 3) == 0 or die; $held = \"x\" x (60 << 20); mkdir shift; sleep 100' "
            + ready);
    await(() -> Files.exists(ready));
    String before = limits("container_1", ContainerClass.BEST_EFFORT);
    start(ReclaimScope.NONE, KILLER);
    watch();
    for (int i = 0; i < 5; i++) {
      sample();
    }
    assertThat(holds("container_1", ContainerClass.BEST_EFFORT)).isGreaterThan(59 * MIB);
    assertThat(limits("container_1", ContainerClass.BEST_EFFORT)).isEqualTo(before);
    assertThat(processes.get("container_1").isAlive()).isTrue();
  }
}
