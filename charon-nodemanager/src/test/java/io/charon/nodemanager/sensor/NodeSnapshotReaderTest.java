/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.cpuset.Cores;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.sensor.NodeMemorySensor.MemoryReading;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads both sides of a node of 1000 bytes at seconds 1, 2, 3 and so on. */
class NodeSnapshotReaderTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Helper NO_HELPER =
      new Helper(List.of("/nonexistent/ua-killer"), Duration.ofSeconds(1));
  private static final String BEST_EFFORT = "charon/best-effort";
  private static final String PRODUCTION = "charon/production";

  @TempDir private Path root;

  private FakeMachine machine;
  private CgroupVersion version;
  private NodeSnapshotReader reader;
  private long nanos;

  @AfterEach
  void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
  }

  /**
   * Creates the machine; for v1 it is hybrid, with its controllers on v1 and a v2 hierarchy without
   * any.
   */
  private void machine(CgroupVersion files, String... foreground) throws IOException {
    version = files;
    machine =
        files == CgroupVersion.V2
            ? FakeMachine.v2(root)
            : FakeMachine.v1(root).mountV2("unified", "/", "");
    machine
        .file("proc/stat", "cpu  100 0 100 900 50 0 0 7 0 0\ncpu0 1 1\ncpu1 1 1\nintr 5 6\n")
        .file("proc/pressure/cpu", "some\n")
        .file("proc/self/schedstat", "1 2 3\n");
    side(BEST_EFFORT, 200, 1.0, 0);
    side(PRODUCTION, 100, 5.0, 0);
    machine.file(file("cpu", BEST_EFFORT, "cpu.stat"), cpuStat(1.0, 0));
    machine.file(
        file("cpuset", BEST_EFFORT, v2() ? "cpuset.cpus.effective" : "cpuset.effective_cpus"),
        "0,2-3\n");
    reader = reader(foreground);
  }

  private NodeSnapshotReader reader(String... foreground) throws IOException {
    NodeSnapshotReader opened =
        NodeSnapshotReader.of(
            NodeSides.of(machine.detect("/charon"), List.of(foreground)),
            root.resolve("proc"),
            NO_HELPER,
            now -> ResourceUse.missing("no network"));
    opened.enableHealth(HealthSignal.PRESSURE);
    return opened;
  }

  private boolean v2() {
    return version == CgroupVersion.V2;
  }

  private String file(String controller, String cgroup, String name) {
    return (v2() ? "cgroup/" : "cgroup/" + controller + "/") + cgroup + "/" + name;
  }

  /** Returns a file of CPU time or pressure, which are in the v2 hierarchy of both machines. */
  private String unified(String cgroup, String name) {
    return (v2() ? "cgroup/" : "unified/") + cgroup + "/" + name;
  }

  private String cpuStat(double seconds, double throttledSeconds) {
    return "usage_usec %d\nnr_throttled 1\n%s\n"
        .formatted(
            (long) (seconds * 1e6),
            v2()
                ? "throttled_usec " + (long) (throttledSeconds * 1e6)
                : "throttled_time " + (long) (throttledSeconds * 1e9));
  }

  private void side(String cgroup, long bytes, double cpuSeconds, double waitedSeconds) {
    String total = v2() ? "" : "total_";
    machine
        .file(
            file("memory", cgroup, "memory.stat"),
            "%sinactive_anon %d\n%1$sactive_anon 0\n%1$sunevictable 0\n%1$sactive_file 77\n"
                .formatted(total, bytes))
        .file(unified(cgroup, "cpu.stat"), cpuStat(cpuSeconds, 0))
        .file(
            unified(cgroup, "cpu.pressure"),
            "some avg10=1.00 avg60=0.00 avg300=0.00 total=%d\nfull avg10=0.00 total=99\n"
                .formatted((long) (waitedSeconds * 1e6)));
  }

  private NodeReading read() {
    nanos += SECOND;
    return reader.read(nanos, Optional.of(new MemoryReading(new NodeMemory(1000, 300), 650, 0)));
  }

  private void swapped(String cgroup, long bytes) {
    if (v2()) {
      machine.file(file("memory", cgroup, "memory.swap.current"), bytes + "\n");
    } else {
      machine.file(
          file("memory", cgroup, "memory.stat"),
          "total_inactive_anon 200\ntotal_active_anon 0\ntotal_unevictable 0\ntotal_swap %d\n"
              .formatted(bytes));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsInSwapIsUsedToo(CgroupVersion files) throws IOException {
    machine(files);
    swapped(BEST_EFFORT, 30);
    // The node uses 650 and has 390 in swap; the sum exceeds the capacity of 1000.
    NodeReading full =
        reader.read(
            nanos + SECOND, Optional.of(new MemoryReading(new NodeMemory(1000, 300), 650, 390)));

    assertThat(full.memory().bestEffort().value()).hasValue(230);
    assertThat(full.memory().foreground().value()).hasValue(810);
  }

  @ParameterizedTest
  @EnumSource
  void bothSidesAreToldApart(CgroupVersion files) throws IOException {
    machine(files);
    NodeReading first = read();
    assertThat(first.memory().foreground().value()).hasValue(450);
    assertThat(first.memory().bestEffort().value()).hasValue(200);
    assertThat(first.memory().capacity().value()).hasValue(1000);
    assertThat(first.cpu().foreground().missing()).contains("a rate needs two readings");
    assertThat(first.cpu().capacity().value()).hasValue(3);
    assertThat(first.foreground()).isEqualTo("the node minus best-effort");
    assertThat(first.network().foreground().missing()).contains("no network");
    assertThat(first.health().runQueueDelay().missing()).contains("another signal is in use");

    machine.file("proc/stat", "cpu  200 0 120 980 50 0 10 7 0 0\ncpu0 1 1\n");
    side(BEST_EFFORT, 300, 1.5, 9);
    side(PRODUCTION, 100, 6, 0.25);
    machine.file(file("cpu", BEST_EFFORT, "cpu.stat"), cpuStat(1.5, 0.125));
    NodeReading second = read();
    assertThat(second.memory().foreground().value()).hasValue(350);
    // The machine was busy for 1.3 s, of which best-effort used 0.5 s.
    assertThat(second.cpu().foreground().value().orElseThrow()).isCloseTo(0.8, offset());
    assertThat(second.cpu().bestEffort().value()).hasValue(0.5);
    assertThat(second.health().pressure().value()).hasValue(0.25);
    assertThat(second.throttled().value()).hasValue(0.125);
  }

  private static org.assertj.core.data.Offset<Double> offset() {
    return org.assertj.core.data.Offset.offset(1e-9);
  }

  @ParameterizedTest
  @EnumSource
  void aNarrowedForegroundIsTheSumOfWhatMatchesNow(CgroupVersion files) throws IOException {
    machine(files, "/machine.slice/*", "/db");
    assertThat(read().memory().foreground().missing())
        .contains("no cgroup of the foreground exists");
    side("machine.slice/vm1", 10, 1, 1);
    side("machine.slice/vm2", 20, 1, 1);
    side("db", 40, 1, 1);
    assertThat(read().memory().foreground().value()).hasValue(70);

    side("machine.slice/vm1", 10, 1.25, 1.5);
    side("db", 40, 2, 1.25);
    NodeReading three = read();
    assertThat(three.cpu().foreground().value()).hasValue(1.25);
    assertThat(three.health().pressure().value()).hasValue(0.75);
    assertThat(three.foreground()).isEqualTo("/machine.slice/*, /db");

    // One cgroup is removed; a new one contributes from its second reading.
    for (String directory : new TreeSet<>(List.of(file("memory", "db", ""), unified("db", "")))) {
      delete(machine.path(directory));
    }
    side("machine.slice/vm3", 80, 500, 500);
    NodeReading four = read();
    assertThat(four.memory().foreground().value()).hasValue(110);
    assertThat(four.cpu().foreground().value()).hasValue(0);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  @ParameterizedTest
  @EnumSource
  void whatCannotBeReadIsMissingWithItsReasonAndTheRestGoesOn(CgroupVersion files)
      throws IOException {
    machine(files);
    Map<String, Function<NodeReading, Measurement>> readings = new LinkedHashMap<>();
    readings.put(
        file("memory", BEST_EFFORT, "memory.stat"), snapshot -> snapshot.memory().bestEffort());
    readings.put(file("cpu", BEST_EFFORT, "cpu.stat"), NodeReading::throttled);
    readings.put(unified(BEST_EFFORT, "cpu.stat"), snapshot -> snapshot.cpu().bestEffort());
    readings.put("proc/stat", snapshot -> snapshot.cpu().foreground());
    readings.put(unified(PRODUCTION, "cpu.pressure"), reading -> reading.health().pressure());
    for (Map.Entry<String, Function<NodeReading, Measurement>> reading : readings.entrySet()) {
      Path file = machine.path(reading.getKey());
      String content = Files.readString(file);
      for (String fault : List.of("missing", "garbage", "unreadable")) {
        Files.delete(file);
        if (fault.equals("garbage")) {
          Files.writeString(file, "\0 garbage=total=x\n");
        } else if (fault.equals("unreadable")) {
          Files.createDirectory(file);
        }
        reader.close();
        reader = reader();
        read();
        NodeReading snapshot = read();
        assertThat(reading.getValue().apply(snapshot).missing())
            .as("%s is %s", file, fault)
            .get()
            .asString()
            .contains(file.getFileName().toString());
        for (String other : readings.keySet()) {
          assertThat(readings.get(other).apply(snapshot).isPresent())
              .as("%s while %s is %s", other, file, fault)
              .isEqualTo(!machine.path(other).equals(file) && !shares(other, file));
        }
        if (fault.equals("unreadable")) {
          Files.delete(file);
        }
        Files.writeString(file, content);
        read(); // a rate needs two readings
        assertThat(reading.getValue().apply(read()).isPresent()).isTrue();
      }
    }
  }

  /** The foreground's CPU time is that of the machine minus that of best-effort. */
  private boolean shares(String other, Path file) {
    return other.equals("proc/stat") && file.equals(machine.path(unified(BEST_EFFORT, "cpu.stat")));
  }

  @Test
  void aMachineOfV1AloneCountsCpuTimeWhereCpuacctIsMountedWithCpu() throws IOException {
    version = CgroupVersion.V1;
    machine =
        new FakeMachine(root)
            .mountV1("cgroup/cpu", "/", "rw,cpu,cpuacct")
            .mountV1("cgroup/memory", "/", "rw,memory")
            .file("proc/stat", "cpu 0 0 0 0 0 0 0\ncpu0 0\ncpu7 0\n")
            .file("cgroup/cpu/charon/best-effort/cpuacct.usage", "1000000000\n")
            .file("cgroup/cpu/charon/best-effort/cpu.stat", "throttled_time 0\n");
    reader =
        NodeSnapshotReader.of(
            NodeSides.of(machine.detect("/charon"), List.of()),
            root.resolve("proc"),
            NO_HELPER,
            now -> ResourceUse.missing("no network"));
    assertThat(reader.unavailable(HealthSignal.PRESSURE)).get().asString().contains("psi=1");
    assertThat(reader.unavailable(HealthSignal.RUN_QUEUE)).get().asString().contains("schedstat");
    assertThat(reader.unavailable(HealthSignal.INSTRUCTIONS))
        .get()
        .asString()
        .contains("mount cgroup v2");
    assertThat(read().memory().bestEffort().value()).as("it has no memory cgroup").hasValue(0);
    machine.file("cgroup/cpu/charon/best-effort/cpuacct.usage", "1500000000\n");
    NodeReading second = read();
    assertThat(second.cpu().bestEffort().value()).hasValue(0.5);
    assertThat(second.cpu().capacity().value()).hasValue(2);
  }

  @Test
  void delaysInTheRunQueueAreThoseOfAllThreadsOfTheForeground() throws IOException {
    machine(CgroupVersion.V2);
    reader.enableHealth(HealthSignal.RUN_QUEUE);
    machine
        .file("cgroup/charon/production/cgroup.threads", "")
        .file("cgroup/charon/production/c1/cgroup.threads", "70\n71\n0\n../../etc\n")
        .file("proc/70/schedstat", "1 1000000000 9\n")
        .file("proc/71/schedstat", "1 1000000000 9\n");
    assertThat(read().health().runQueueDelay().missing()).contains("a rate needs two readings");

    machine
        .file("proc/70/schedstat", "1 1500000000 9\n")
        .file("proc/71/schedstat", "1 250000000 9");
    assertThat(read().health().runQueueDelay().value())
        .as("71 is another thread now")
        .hasValue(0.75);

    machine.file("proc/70/schedstat", "garbage");
    Files.delete(machine.path("proc/71/schedstat"));
    assertThat(read().health().runQueueDelay().value()).hasValue(0);
  }

  @Test
  void delaysBeforeAThreadBelongedToTheForegroundDoNotCount() throws IOException {
    machine(CgroupVersion.V2);
    reader.enableHealth(HealthSignal.RUN_QUEUE);
    machine
        .file("cgroup/charon/production/cgroup.threads", "")
        .file("cgroup/charon/production/c1/cgroup.threads", "70\n")
        .file("proc/70/schedstat", "1 1000000000 9\n");
    read();

    machine
        .file("cgroup/charon/production/c1/cgroup.threads", "70\n71\n72\n")
        .file("cgroup/charon/production/c2/cgroup.threads", "80\n")
        .file("proc/71/schedstat", "1 500000000 9\n")
        .file("proc/72/schedstat", "1 60000000000 9\n")
        .file("proc/80/schedstat", "1 900000000 9\n");
    assertThat(read().health().runQueueDelay().value())
        .as("71 is new; 72 waited before it came; 80 is in a container that was promoted")
        .hasValue(0.5);

    machine
        .file("proc/72/schedstat", "1 60250000000 9\n")
        .file("proc/80/schedstat", "1 1400000000 9\n");
    assertThat(read().health().runQueueDelay().value()).hasValue(0.75);
  }

  @Test
  void withoutCgroupsOnlyMemoryIsTold() {
    reader = NodeSnapshotReader.withoutCgroups(root, () -> 150);
    NodeReading snapshot = read();
    assertThat(snapshot.memory().foreground().value()).hasValue(500);
    assertThat(snapshot.cpu().foreground().missing()).get().asString().contains("no cgroups");
    assertThat(reader.unavailable(HealthSignal.PRESSURE)).isPresent();
  }

  @Test
  void aNodeWhoseMemoryCannotBeReadHasNoForegroundToSpeakOf() throws IOException {
    machine(CgroupVersion.V2);
    NodeReading snapshot = reader.read(SECOND, Optional.empty());
    assertThat(snapshot.memory().foreground().isPresent()).isFalse();
    assertThat(snapshot.memory().bestEffort().isPresent()).isTrue();
  }

  private void allowed(String cgroup, String cores) {
    machine.file(
        file("cpuset", cgroup, v2() ? "cpuset.cpus.effective" : "cpuset.effective_cpus"),
        cores + "\n");
  }

  private static final String FOUR_CORES =
      """
      cpu  0 0 0 0 0 0 0 0
      cpu0 %d 0 0 500 0 0 0 0 0 0
      cpu1 0 0 %d 500 9 0 0 0 0 0
      cpu3 0 0 0 500 9 0 0 0 0 0
      cpu4 5
      intr 1 2 3
      """;

  @ParameterizedTest
  @EnumSource
  void coresAreReportedWithTheirUseAndPinnedContainers(CgroupVersion files) throws IOException {
    machine(files);
    reader.enablePinned();
    machine.file("proc/stat", FOUR_CORES.formatted(100, 200));
    allowed("", "0-1,3-4");
    allowed("charon", "0-1,3-4");
    allowed(BEST_EFFORT, "1,3");
    allowed(PRODUCTION, "0-1,3-4");
    allowed(PRODUCTION + "/c_1", "0-1,3-4");
    allowed(PRODUCTION + "/c_2", "0");
    CoreUse first = read().cores();
    assertThat(first.usable()).hasToString("0-1,3-4");
    assertThat(first.bestEffort()).hasToString("1,3");
    assertThat(first.pinned().orElseThrow()).hasToString("0");
    assertThat(first.busy()).isEmpty();
    assertThat(first.missing()).isEmpty();

    machine.file("proc/stat", FOUR_CORES.formatted(150, 325));
    allowed(PRODUCTION + "/c_1", "3-4");
    NodeReading second = read();
    assertThat(second.cores().busy())
        .as("of cpu4 little is told; a second has no more than a second")
        .containsOnly(Map.entry(0, 0.5), Map.entry(1, 1.0), Map.entry(3, 0.0));
    assertThat(second.cores().pinned().orElseThrow()).hasToString("0,3-4");
    assertThat(second.cpu().capacity().value()).hasValue(2);

    delete(machine.path(file("cpuset", PRODUCTION + "/c_2", "")));
    assertThat(read().cores().pinned().orElseThrow()).hasToString("3-4");
  }

  @ParameterizedTest
  @EnumSource
  void whereTheForegroundIsNarrowedItsCgroupsAndTheirChildrenCount(CgroupVersion files)
      throws IOException {
    machine(files, "/machine.slice/*");
    reader.enablePinned();
    machine.file("proc/stat", FOUR_CORES.formatted(0, 0));
    allowed(BEST_EFFORT, "0-1,3-4");
    allowed(PRODUCTION, "0");
    assertThat(read().cores().pinned().orElseThrow()).hasToString("");
    allowed("machine.slice/vm1", "0-1,3-4");
    allowed("machine.slice/vm1/vcpu0", "3");
    allowed("machine.slice/vm2", "4");
    assertThat(read().cores().pinned().orElseThrow()).hasToString("3-4");
  }

  /** The NodeManager runs in a container with half of the machine's cores. */
  @ParameterizedTest
  @EnumSource
  void aCpusetOfAllContainersPinsNone(CgroupVersion files) throws IOException {
    machine(files);
    reader.enablePinned();
    machine.file("proc/stat", FOUR_CORES.formatted(0, 0));
    allowed("charon", "0-1");
    allowed(BEST_EFFORT, "0-1");
    allowed(PRODUCTION, "0-1");
    allowed(PRODUCTION + "/c_1", "0-1");
    CoreUse cores = read().cores();
    assertThat(cores.usable()).hasToString("0-1");
    assertThat(cores.pinned().orElseThrow().isEmpty()).isTrue();

    allowed("", "0-1");
    Files.delete(
        machine.path(
            file("cpuset", "charon", v2() ? "cpuset.cpus.effective" : "cpuset.effective_cpus")));
    assertThat(read().cores().usable()).hasToString("0-1");
  }

  @ParameterizedTest
  @EnumSource
  void coresThatCannotBeReadAreSaidAndTheRestGoesOn(CgroupVersion files) throws IOException {
    machine(files);
    assertThat(read().cores().pinned()).as("nobody asked").isEmpty();
    reader.enablePinned();
    allowed(PRODUCTION, "0-x");
    CoreUse cores = read().cores();
    assertThat(cores.pinned()).isEmpty();
    assertThat(cores.missing().orElseThrow())
        .contains("production")
        .contains("not hold a list of CPUs");
    assertThat(cores.pinnedCount().missing()).isEqualTo(cores.missing());
    assertThat(cores.foregroundOnUnpinnedCores(Measurement.of(1)).missing())
        .isEqualTo(cores.missing());
    assertThat(cores.bestEffortCount().isPresent()).isTrue();

    allowed(BEST_EFFORT, "garbage");
    assertThat(read().cores().bestEffortCount().missing().orElseThrow()).contains("best-effort");
    machine.file("proc/stat", "garbage\n");
    assertThat(read().cores().missing().orElseThrow()).contains("stat lists no CPU");
  }

  @Test
  void aPinnedContainerDoesNotCountElsewhere() {
    CoreUse cores =
        new CoreUse(
            Cores.parse("0-3"),
            Cores.parse("2-3"),
            Optional.of(Cores.parse("0-1")),
            Map.of(0, 0.75, 2, 0.5),
            Optional.empty());
    assertThat(cores.foregroundOnUnpinnedCores(Measurement.of(1)).value()).hasValue(0.25);
    assertThat(cores.foregroundOnUnpinnedCores(Measurement.of(0.5)).value()).hasValue(0);
    assertThat(cores.usableOf(Optional.of(Cores.parse("3,9")))).hasToString("3");
    assertThat(cores.usableOf(Optional.of(Cores.parse("9")))).hasToString("0-3");
  }
}
