/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.disklimit;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.disklimit.Disk;
import io.charon.core.law.disklimit.Disks;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.Requirement;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryLimitParts;
import io.charon.nodemanager.sensor.DiskSensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests the mechanism on this machine's kernel and disk, with 400 MB. */
@ExtendWith(RealCgroups.class)
@Tag("hadoop")
class DiskLimitKernelTest {
  private static final long MB = 1 << 20;
  private static final long NODE_MB = 400;
  private static final String PRODUCTION = "prod";
  private static final String BEST_EFFORT = "best";
  private static final Path TOOLS = Path.of("../kernel-ua-killer/target/native").toAbsolutePath();

  @TempDir private Path directory;
  private final Map<String, Process> running = new ConcurrentHashMap<>();
  private final Map<String, Long> reserved = new ConcurrentHashMap<>();
  private final Counter failures = new Counter();
  private CgroupLayout layout;
  private CgroupWriter writer;
  private CgroupHierarchy disks;
  private String disk;
  private Optional<Agent> agent = Optional.empty();
  private final Set<String> limitedModes = new TreeSet<>();

  /**
   * The parts of a NodeManager that the limit needs; reads once per second who holds the memory.
   */
  private final class Agent {
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
    private final List<Exception> broken = new CopyOnWriteArrayList<>();
    private final ActionExecutor executor;
    private final MemoryLimitParts holding;
    private final SingleMechanism<Disks> parts;
    private final MechanismRunner runner;

    Agent(String mode) throws Exception {
      CharonSettings settings =
          TestSettings.of(
              "disk-limit.mode",
              mode,
              "memory-limit.mode",
              "observe",
              "node.memory-boundary",
              "cgroup");
      holding =
          MemoryLimitParts.of(
              settings,
              layout,
              true,
              Path.of("/proc"),
              new Helper(List.of("/none"), Duration.ofSeconds(2)),
              () -> Map.copyOf(reserved),
              () -> {});
      parts =
          DiskLimitParts.of(
              settings.regulators(), Optional.of(layout), true, Path.of("/proc"), Path.of("/sys"));
      executor = TestExecutor.of(Optional.empty(), failures, parts.actuators());
      runner = new MechanismRunner(parts.entries(), executor);
      runner.start();
      var unused = ticker.scheduleWithFixedDelay(this::tick, 0, 1, TimeUnit.SECONDS);
    }

    private void tick() {
      try {
        long nanos = System.nanoTime();
        List<Reading> readings = new ArrayList<>(parts.readings(nanos).toList());
        holding.read(nanos).ifPresent(readings::add);
        runner.tick(new Snapshot(nanos, readings.toArray(Reading[]::new)));
      } catch (RuntimeException e) {
        broken.add(e);
      }
    }

    String state() {
      MechanismRunner.State state = runner.states().get(0);
      return state.report() + " " + state.result();
    }

    /** Ends as if it had been killed, without undoing anything. */
    void vanish() throws Exception {
      ticker.shutdown();
      assertThat(ticker.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      holding.close();
      assertThat(broken).isEmpty();
      agent = Optional.empty();
    }

    void end() throws Exception {
      vanish();
      executor.close();
    }
  }

  @BeforeEach
  void aNodeOf400MegabytesWithAFileOnADisk() throws Exception {
    Requirement.require(
        DiskLimitKernelTest.class,
        Files.isExecutable(TOOLS.resolve("workload")),
        "no " + TOOLS + "/workload: run make -C kernel-ua-killer/src/main/native");
    layout = RealCgroups.layout("disk");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Optional<CgroupHierarchy> hierarchy = layout.hierarchy(CgroupController.IO);
    Requirement.require(
        DiskLimitKernelTest.class,
        hierarchy.filter(known -> Files.exists(limits(known))).isPresent(),
        "the kernel limits no reads of cgroups");
    disks = hierarchy.orElseThrow();
    disk = diskOf(directory);
    Requirement.require(
        DiskLimitKernelTest.class,
        new DiskSensor(Path.of("/proc"), Path.of("/sys"))
            .read(0).all().stream().map(Disk::number).anyMatch(disk::equals),
        directory + " is on " + disk + ", which is no disk");
    Files.writeString(
        CgroupFile.MEMORY_LIMIT.path(layout.nodeDirectory(layout.memory()), layout.version()),
        Long.toString(NODE_MB * MB));
  }

  /** Returns the disk that contains the file's partition. */
  private static String diskOf(Path file) throws IOException {
    long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
    String number = ((device >> 8) & 0xfff) + ":" + ((device & 0xff) | ((device >> 12) & 0xfff00));
    Path known = Path.of("/sys/dev/block", number);
    return Files.exists(known.resolve("partition"))
        ? Files.readString(known.toRealPath().getParent().resolve("dev")).strip()
        : number;
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    if (agent.isPresent()) {
      agent.get().end();
    }
    for (Process process : running.values()) {
      process.destroyForcibly().waitFor();
    }
    if (writer != null) {
      for (String id : writer.containers()) {
        assertThat(writer.removeContainer(id)).isTrue();
      }
      assertThat(writer.removeNode()).isTrue();
    }
  }

  private Path limits(CgroupHierarchy hierarchy) {
    return CgroupFile.DISK_READS.path(
        layout.classDirectory(hierarchy, ContainerClass.BEST_EFFORT), hierarchy.version());
  }

  /** Returns the limit in bytes per second; 0 if there is none. */
  private long limit() throws IOException {
    for (String line : Files.readAllLines(limits(disks))) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(disk)) {
        String rate = words[1].replace("rbps=", "").replace("max", "0");
        return Long.parseLong(rate);
      }
    }
    return 0;
  }

  /** Returns the bytes that best-effort has read from the disk. */
  private long readBytes() throws IOException {
    boolean first = disks.version() == CgroupVersion.V1;
    Path file =
        layout
            .classDirectory(disks, ContainerClass.BEST_EFFORT)
            .resolve(first ? "blkio.throttle.io_service_bytes_recursive" : "io.stat");
    String key = disk + (first ? " Read " : " rbytes=");
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(key))
        .mapToLong(line -> Long.parseLong(line.substring(key.length()).split(" ", -1)[0]))
        .sum();
  }

  /** Returns the bytes per second over the given time. */
  private double rate(Duration length) throws Exception {
    long before = readBytes();
    long start = System.nanoTime();
    Thread.sleep(length.toMillis());
    long after = readBytes();
    return (after - before) / ((System.nanoTime() - start) / 1e9);
  }

  private void start(String id, ContainerClass kind, String command) throws IOException {
    String enter = RealCgroups.entering(writer.createContainer(id, kind, OptionalInt.empty()));
    running.put(
        id,
        new ProcessBuilder("/bin/sh", "-c", enter + command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  private void stop(String id) throws Exception {
    running.remove(id).destroyForcibly().waitFor();
    assertThat(writer.removeContainer(id)).isTrue();
    reserved.remove(id);
  }

  /** Creates a file that is not in the page cache, so its first reader is charged for it. */
  private Path file(String name, long megabytes) throws Exception {
    Path file = directory.resolve(name);
    run("dd if=/dev/zero of=" + file + " bs=1M oflag=direct conv=fsync count=" + megabytes);
    return file;
  }

  private static void run(String command) throws Exception {
    assertThat(
            new ProcessBuilder("/bin/sh", "-c", command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor())
        .as(command)
        .isZero();
  }

  private static void drop(Path file) throws Exception {
    run("dd of=" + file + " oflag=nocache conv=notrunc,fdatasync count=0");
  }

  private void readForEver(Path file) throws IOException {
    start(
        BEST_EFFORT,
        ContainerClass.BEST_EFFORT,
        "while :; do dd iflag=direct of=/dev/null bs=1M if=" + file + "; done");
    countReads();
  }

  /**
   * Since 6.10, Linux counts a disk's reads on version 1 only once a limit was written for the
   * disk; 0 is none.
   */
  private void countReads() throws IOException {
    if (disks.version() == CgroupVersion.V1) {
      Files.writeString(
          layout
              .classDirectory(disks, ContainerClass.BEST_EFFORT)
              .resolve("blkio.throttle.read_bps_device"),
          disk + " 0");
    }
  }

  /** Starts production with an entitlement of 2 GB that reads 10 MB/s. */
  private void refillSlowly(Path file) throws IOException {
    reserved.put(PRODUCTION, 2048 * MB);
    start(
        PRODUCTION,
        ContainerClass.PRODUCTION,
        "i=0; while :; do dd of=/dev/null bs=1M count=1 skip=$i if="
            + file
            + "; sleep 0.1; i=$((i+1)); done");
  }

  private void await(String what, Callable<Boolean> condition) throws Exception {
    await(what, Duration.ofSeconds(30), condition);
  }

  private void await(String what, Duration longest, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + longest.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime())
          .as(() -> what + ": " + agent.map(Agent::state).orElse("no agent"))
          .isLessThan(end);
      Thread.sleep(20);
    }
  }

  private Agent agent(String mode) throws Exception {
    Agent started = new Agent(mode);
    agent = Optional.of(started);
    return started;
  }

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void bestEffortReadsWithALimitWhileProductionRefillsAndFreelyAfterwards() throws Exception {
    Path read = file("read", 64);
    Path refilled = file("refilled", 300);
    readForEver(read);
    await("it reads", () -> readBytes() > 0);
    agent("enforce");
    refillSlowly(refilled);
    await("there is a limit", () -> limit() > 0);
    long before = limit();
    double limited = rate(Duration.ofSeconds(1));
    long limit = limit(); // it may have followed the disk's speed
    assertThat(limit).as("it holds").isPositive();
    assertThat(limited).isLessThan(1.5 * Math.max(before, limit));

    stop(PRODUCTION);
    await("there is none", () -> limit() == 0);
    await("it reads freely", () -> rate(Duration.ofMillis(300)) > 2.0 * limit);
    assertThat(failures.getCount()).isZero();
  }

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aLeftoverLimitIsRemovedAtTheNextStartInAnyMode() throws Exception {
    readForEver(file("read", 64));
    agent("enforce");
    refillSlowly(file("refilled", 300));
    await("there is a limit", () -> limit() > 0);
    agent.orElseThrow().vanish();
    assertThat(limit()).isPositive();

    agent("off");
    assertThat(limit()).isZero();
    assertThat(failures.getCount()).isZero();
  }

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void turnedOffOrEndedWhileItLimitsItLeavesNothing() throws Exception {
    readForEver(file("read", 64));
    Agent first = agent("enforce");
    refillSlowly(file("refilled", 300));
    await("there is a limit", () -> limit() > 0);
    first.end();
    assertThat(limit()).isZero();
    assertThat(failures.getCount()).isZero();
  }

  /** Prints a measurement on this machine's disk, for people. */
  @Test
  @Tag("long")
  @Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void howSoonProductionHasItsPagesBack() throws Exception {
    Path mine = file("mine", 200);
    Path theirs = file("theirs", 1000);
    Files.writeString(
        CgroupFile.MEMORY_LIMIT.path(
            layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT), layout.version()),
        Long.toString(170 * MB));
    Map<String, List<Double>> seconds = new TreeMap<>();
    for (int round = 0; round < 5; round++) {
      for (String mode : List.of("alone", "off", "enforce")) {
        seconds
            .computeIfAbsent(mode, key -> new ArrayList<>())
            .add(refill(mine, mode.equals("alone") ? Optional.empty() : Optional.of(theirs), mode));
      }
    }
    seconds.values().forEach(Collections::sort);
    seconds.forEach(
        (mode, times) ->
            System.out.printf("200 MB at random through mmap, %s: %s s%n", mode, times));
    assertThat(limitedModes).as("in which mode reads were limited").containsOnly("enforce");
  }

  private double refill(Path mine, Optional<Path> theirs, String mode) throws Exception {
    drop(mine);
    if (theirs.isPresent()) {
      start(
          BEST_EFFORT,
          ContainerClass.BEST_EFFORT,
          "exec ionice -t -c 3 " + TOOLS + "/workload stream " + theirs.get() + " 100000");
      agent(mode);
      Thread.sleep(3000); // it fills the memory up to its limit
    }
    reserved.put(PRODUCTION, 210 * MB);
    long start = System.nanoTime();
    start(
        PRODUCTION,
        ContainerClass.PRODUCTION,
        "exec " + TOOLS + "/workload work-mapped " + mine + " 200 0 100");
    Path use =
        CgroupFile.MEMORY_USAGE.path(
            layout.containerDirectory(layout.memory(), ContainerClass.PRODUCTION, PRODUCTION),
            layout.version());
    await(
        "it has 190 MB",
        Duration.ofMinutes(5),
        () -> {
          if (limit() > 0) {
            limitedModes.add(mode);
          }
          return Long.parseLong(Files.readString(use).strip()) > 190 * MB;
        });
    double took = (System.nanoTime() - start) / 1e9;
    stop(PRODUCTION);
    if (theirs.isPresent()) {
      agent.orElseThrow().end();
      stop(BEST_EFFORT);
    }
    return Math.round(10 * took) / 10.0;
  }
}
