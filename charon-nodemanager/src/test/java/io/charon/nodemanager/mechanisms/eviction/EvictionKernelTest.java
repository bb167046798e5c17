/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.eviction;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.eviction.EvictionRule.MemoryUse;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.Requirement;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.sensor.NodeMemorySensor.MemoryReading;
import io.charon.nodemanager.sensor.NodeSensors;
import io.charon.nodemanager.sensor.NodeSides;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests evictions of real processes on this machine's kernel, by real memory, pressure and CPU
 * time, in a node of 400 MiB. The test's own clock drives cool-downs and grace periods.
 */
@ExtendWith(RealCgroups.class)
@Timeout(value = 110, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EvictionKernelTest {
  private static final Path PROC = Path.of("/proc");
  private static final long MIB = 1 << 20;
  private static final long NODE_BYTES = 400 * MIB;
  private static final long SECOND = 1_000_000_000L;
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /** Two periods of a quota; a shorter interval does not measure its use reliably. */
  private static final Duration RATES = Duration.ofMillis(200);

  @TempDir private Path directory;
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final Map<String, Integer> vcores = new LinkedHashMap<>();
  private final List<String> signals = new ArrayList<>();
  private CgroupLayout layout;
  private CgroupWriter writer;
  private NodeSnapshotReader reader;
  private NodeSensors sensors;
  private EvictionParts parts;
  private ActionExecutor executor;
  private DyingContainers dying;
  private MechanismRunner runner;
  private OptionalLong killedNanos = OptionalLong.empty();
  private long nanos = 1_000 * SECOND;

  @BeforeEach
  void aNode() throws IOException {
    layout = RealCgroups.layout("eviction");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Files.writeString(
        CgroupFile.MEMORY_LIMIT.path(
            layout.nodeDirectory(layout.memory()), layout.memory().version()),
        Long.toString(NODE_BYTES));
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (Process process : processes.values()) {
      process.destroyForcibly().waitFor();
    }
    if (executor != null) {
      executor.close();
      parts.close();
      reader.close();
    }
    for (String container : processes.keySet()) {
      await(() -> writer.removeContainer(container));
    }
    await(() -> writer.removeNode());
  }

  private void evicts(String... keys) throws IOException {
    CharonSettings settings =
        TestSettings.of(
            Stream.concat(Stream.of("node.memory-boundary", "cgroup"), Stream.of(keys))
                .toArray(String[]::new));
    sensors = NodeSensors.open(settings, PROC, Optional.of(layout), Map::of);
    // Other processes on this machine are not foreground of this node.
    reader =
        NodeSnapshotReader.of(
            NodeSides.of(
                layout, List.of(layout.classPath(ContainerClass.PRODUCTION) + "/production*")),
            PROC,
            new Helper(List.of("/nonexistent/ua-killer"), Duration.ofSeconds(1)),
            at -> ResourceUse.missing("no network"));
    parts =
        new EvictionParts(
            settings.regulators().of(EvictionSettings.class),
            Duration.ofSeconds(1),
            Optional.of(layout),
            PROC);
    dying = new DyingContainers(() -> nanos, () -> {});
    Counter failures = new Counter();
    executor =
        new ActionExecutor(
            dying,
            (mechanism, id, reason) -> killedNanos = OptionalLong.of(nanos),
            ContainerControl.of(Optional.empty(), new Signals()),
            Audit.direct(Optional.empty(), Clock.systemUTC(), failures),
            failures,
            () -> nanos);
    runner = new MechanismRunner(parts.entries(), executor);
    runner.start();
  }

  /** Sends real signals. */
  private final class Signals implements ContainerControl.Killer {
    @Override
    public void kill(String containerId) {
      signals.add("KILL " + containerId);
      processes.get(containerId).destroyForcibly();
    }

    @Override
    public void terminate(String containerId) {
      signals.add("TERM " + containerId);
      processes.get(containerId).destroy();
    }
  }

  private void start(String id, ContainerClass side, int cores, String script) throws IOException {
    String enter = RealCgroups.entering(writer.createContainer(id, side, OptionalInt.empty()));
    processes.put(id, new ProcessBuilder("/bin/sh", "-c", enter + script).start());
    if (side == ContainerClass.BEST_EFFORT) {
      vcores.put(id, cores);
    }
  }

  private void holds(String id, int mebibytes) throws IOException {
    start(
        id,
        ContainerClass.BEST_EFFORT,
        1,
        "exec perl -e '$held .= \"x\" x 1048576 for 1 .. %d; sleep 100'".formatted(mebibytes));
    await(() -> bytes(id) >= mebibytes * MIB && isUpToDate());
  }

  private long bytes(String id) {
    try {
      return sensors.workingSets().getOrDefault(id, WorkingSet.of(0)).bytes();
    } catch (IOException e) {
      return 0; // it has exited meanwhile
    }
  }

  /** Allows for memory that the kernel keeps for the next charges until another cgroup needs it. */
  private boolean isFreed(String id) {
    return bytes(id) < MIB && isUpToDate();
  }

  /**
   * Returns whether the node's statistics, which the kernel sums up late, match those of its
   * containers.
   */
  private boolean isUpToDate() {
    try {
      long held = sensors.workingSets().values().stream().mapToLong(WorkingSet::bytes).sum();
      return Math.abs(sensors.node().read().usedBytes() - held) < 4 * MIB;
    } catch (IOException e) {
      return false; // a container has ended meanwhile
    }
  }

  private boolean lives(String id) {
    return processes.get(id).isAlive();
  }

  /** Runs a tick after advancing the clock of the cool-down. */
  private void tick(long later) {
    nanos += later;
    MemoryReading memory;
    try {
      memory = sensors.node().readUse();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    List<Reading> readings = new ArrayList<>(parts.readings(System.nanoTime()).toList());
    readings.add(new LastKill(killedNanos));
    readings.add(new MemoryUse(memory.memory().usedBytes(), memory.memory().capacityBytes()));
    readings.add(
        new BestEffortTasks(
            vcores.entrySet().stream()
                .filter(entry -> lives(entry.getKey()))
                .map(
                    entry ->
                        new Task(
                            entry.getKey(),
                            WorkingSet.of(bytes(entry.getKey())),
                            dying.isEnding(entry.getKey()),
                            0,
                            entry.getValue(),
                            true))
                .toList()));
    readings.add(reader.read(System.nanoTime(), Optional.of(memory)));
    runner.tick(new Snapshot(nanos, readings.toArray(Reading[]::new)));
    executor.killOverdue();
  }

  private String cause(String mechanism) {
    return runner.states().stream()
        .filter(state -> state.name().equals(mechanism))
        .findFirst()
        .flatMap(state -> state.report().cause())
        .orElse("");
  }

  @Test
  void aboveTheLineOnlyTheNewestIsKilledUntilTheCoolDownIsOver() throws Exception {
    evicts(
        "evict-line.mode",
        "enforce",
        "evict-line.line-percent",
        "40",
        "evict-line.lower-percent",
        "38");
    holds("oldest", 60);
    holds("older", 60);
    tick(SECOND);
    assertThat(signals).as("120 of 400 MiB").isEmpty();
    holds("newest", 60);
    tick(SECOND);
    assertThat(signals)
        .as("180 of 400 MiB, down to 152; %s", cause("evict-line"))
        .containsExactly("KILL newest");
    assertThat(processes.get("newest").waitFor()).isEqualTo(137);
    await(() -> isFreed("newest"));

    holds("next", 60);
    for (int second = 0; second < 3; second++) {
      tick(SECOND);
    }
    assertThat(lives("next")).as("in the cool-down").isTrue();
    tick(SECOND);
    assertThat(signals).containsExactly("KILL newest", "KILL next");
    assertThat(processes.get("next").waitFor()).isEqualTo(137);
    await(() -> isFreed("next"));
    for (int second = 0; second < 10; second++) {
      tick(SECOND);
    }
    assertThat(cause("evict-line")).isEqualTo("less than 40 % is in use");
    assertThat(lives("oldest") && lives("older")).as("wrong death: an older one").isTrue();
  }

  @Test
  @Tag("must-never")
  void pressureEvictsOnlyWhileMemoryIsFull() throws Exception {
    evicts(
        "evict-psi.mode", "enforce", "evict-psi.used-percent", "40", "evict-psi.some-percent", "1");
    Requirement.require(
        EvictionKernelTest.class,
        runner.states().stream()
            .filter(state -> state.name().equals("evict-psi"))
            .allMatch(state -> state.unavailable().isEmpty()),
        "this kernel has no pressure stall information: boot it with psi=1");
    holds("older", 60);
    holds("newer", 60);
    // Production that reads more than fits below its limit has to wait for reclaim.
    Path file = directory.resolve("cold");
    Path cgroup =
        layout.containerDirectory(layout.memory(), ContainerClass.PRODUCTION, "production");
    Files.createDirectories(cgroup);
    Files.writeString(
        CgroupFile.MEMORY_LIMIT.path(cgroup, layout.memory().version()), Long.toString(12 * MIB));
    start("production", ContainerClass.PRODUCTION, 0, stalls(file));
    await(
        POLL_INTERVAL,
        () -> {
          tick(SECOND);
          return cause("evict-psi").equals("processes wait for memory, but the memory is not full");
        });
    tick(SECOND);
    tick(SECOND);
    assertThat(signals).as("30 % is used").isEmpty();

    holds("newest", 60);
    await(
        POLL_INTERVAL,
        () -> {
          tick(SECOND);
          return !signals.isEmpty();
        });
    assertThat(signals).containsExactly("KILL newest");
    assertThat(lives("production")).isTrue();
  }

  private static String stalls(Path file) {
    return "dd if=/dev/zero of=%1$s bs=1M count=48 conv=fsync 2>/dev/null;".formatted(file)
        + " while :; do cat %1$s %1$s > /dev/null; done".formatted(file);
  }

  @Test
  void aStarvedContainerIsTerminatedAndKilledAfterItsGrace() throws Exception {
    evicts(
        "evict-satisfaction.mode", "enforce",
        "evict-satisfaction.lower-percent", "30",
        "evict-satisfaction.upper-percent", "40",
        "evict-satisfaction.use-percent", "50",
        "evict-satisfaction.window-ms", "8000");
    Optional<CgroupHierarchy> cpu = layout.hierarchy(CgroupController.CPU);
    Requirement.require(
        EvictionKernelTest.class, cpu.isPresent(), "the cpu controller is not mounted");
    CpuBandwidth quota =
        new CpuBandwidth(
            layout.classDirectory(cpu.get(), ContainerClass.BEST_EFFORT), cpu.get().version());
    quota.limit(0.1);
    start("production", ContainerClass.PRODUCTION, 0, "exec sleep 100");
    start("older", ContainerClass.BEST_EFFORT, 1, "while :; do :; done");
    // 0.1 of 3 vcores are available, so 3 * (40 % - 3 %) = 1.1 must be released; one container of 2
    // is enough.
    start("newest", ContainerClass.BEST_EFFORT, 2, "trap '' TERM; while :; do :; done");
    await(
        RATES,
        () -> {
          tick(SECOND);
          return !signals.isEmpty();
        });
    assertThat(signals).containsExactly("TERM newest");
    tick(4 * SECOND);
    assertThat(lives("newest")).as("within its grace").isTrue();
    assertThat(signals).containsExactly("TERM newest");
    tick(SECOND);
    assertThat(signals).containsExactly("TERM newest", "KILL newest");
    assertThat(processes.get("newest").waitFor()).isEqualTo(137);
    for (int second = 0; second < 14; second++) {
      tick(SECOND);
    }
    assertThat(lives("older")).as("in the cool-down").isTrue();
    assertThat(signals).hasSize(2);
    quota.unlimit();
  }
}
