/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.memorylimit.Holder;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.CharonSettings.MemoryBoundary;
import io.charon.nodemanager.config.MemoryLimitSettings;
import io.charon.nodemanager.config.MemoryLimitSettings.PageCachePolicy;
import io.charon.nodemanager.config.TestSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests who holds a node's memory, with files of both versions. */
class MemoryHoldingSensorTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;
  private static final String ID = "container_1_0001_01_000002";

  @TempDir private Path root;
  private final Map<String, Long> reservations = new HashMap<>(Map.of(ID, 200 * MB));

  private static String meminfo() {
    return """
        MemTotal: 1048576 kB
        MemFree: 524288 kB
        SwapTotal: 0 kB
        SwapFree: 0 kB
        Active(file): 102400 kB
        Inactive(file): 51200 kB
        Dirty: 1024 kB
        Writeback: 0 kB
        Mapped: 40960 kB
        Hugetlb: 0 kB
        """;
  }

  private static void v1(FakeMachine machine, String cgroup, long use, long file, long dirty) {
    String directory = "cgroup/memory" + cgroup + "/";
    machine
        .file(directory + "memory.usage_in_bytes", use * MB + "\n")
        .file(directory + "memory.limit_in_bytes", "9223372036854771712\n")
        .file(directory + "tasks", "")
        .file(
            directory + "memory.stat",
            "total_inactive_file %d\ntotal_active_file %d\ntotal_dirty %d\ntotal_writeback 0\n"
                    .formatted(file * MB, MB, dirty * MB)
                + "total_swap 1048576\ntotal_mapped_file %d\n".formatted(file * MB / 4));
  }

  private static void v2(FakeMachine machine, String cgroup, long use, long file, long dirty) {
    String directory = "cgroup" + cgroup + "/";
    machine
        .file(directory + "memory.current", use * MB + "\n")
        .file(directory + "memory.max", "max\n")
        .file(directory + "memory.swap.current", "1048576\n")
        .file(directory + "cgroup.threads", "")
        .file(
            directory + "memory.stat",
            "inactive_file %d\nactive_file %d\nfile_dirty %d\nfile_writeback 0\nfile_mapped %d\n"
                .formatted(file * MB, MB, dirty * MB, file * MB / 4));
  }

  private MemoryHoldingSensor sensor(CgroupLayout layout, PageCachePolicy policy, String service)
      throws IOException {
    return sensor(layout, policy, List.of(new MemoryLimitSettings.Service(service, Holder.ALL)));
  }

  private MemoryHoldingSensor sensor(
      CgroupLayout layout, PageCachePolicy policy, List<MemoryLimitSettings.Service> services)
      throws IOException {
    return new MemoryHoldingSensor(
        new OwnMemoryPlaces(layout),
        NodeBoundary.of(MemoryBoundary.CGROUP, layout, root.resolve("proc")),
        () -> reservations,
        new MemoryLimitSettings(RegulatorMode.ENFORCE, policy, services, 5, OptionalInt.empty()));
  }

  @Test
  void versionOne() throws IOException {
    FakeMachine machine = FakeMachine.v1(root).file("proc/meminfo", meminfo());
    v1(machine, "/charon", 390, 150, 4);
    machine.file("cgroup/memory/charon/memory.limit_in_bytes", 400 * MB + "\n");
    v1(machine, "/charon/best-effort", 100, 40, 2);
    v1(machine, "/charon/production/" + ID, 210, 99, 0);
    CgroupLayout layout = machine.detect("/charon");
    MemoryHolding seen = sensor(layout, PageCachePolicy.RESERVED, "/none").read(0);
    assertThat(seen.sample().boundaryBytes()).isEqualTo(400 * MB);
    assertThat(seen.nodeBytes()).isEqualTo(390 * MB);
    assertThat(seen.bestEffort()).isEqualTo(new CgroupUse(100 * MB, MB, 39 * MB, 10 * MB, 0));
    assertThat(seen.sample().othersBytes())
        .as("the node's swap is best-effort's")
        .isEqualTo(290 * MB);
    assertThat(seen.sample().othersCleanBytes()).isEqualTo((147 - 39) * MB);
    assertThat(seen.sample().holders())
        .containsExactly(new Holder(ID, 211 * MB, MB, 100 * MB, 200 * MB));
    assertThat(seen.sample().systemRightBytes()).isEqualTo(400 * MB / 100 * 5);
    assertThat(seen.sample().systemMappedBytes())
        .as("what neither best-effort nor production has mapped")
        .isEqualTo(150 * MB / 4 - 40 * MB / 4 - 99 * MB / 4);
    assertThat(seen.bestEffortRuns()).isFalse();
    machine.file("cgroup/memory/charon/best-effort/tasks", "17\n");
    MemoryHolding none = sensor(layout, PageCachePolicy.NONE, "/none").read(0);
    assertThat(none.sample().holders()).extracting(Holder::rightBytes).containsExactly(0L);
    assertThat(none.bestEffortRuns()).isTrue();
  }

  @Test
  void versionTwoWithAServiceInTheMachine() throws IOException {
    FakeMachine machine = FakeMachine.v2(root).file("proc/meminfo", meminfo());
    v2(machine, "/charon", 390, 150, 4);
    v2(machine, "/charon/best-effort", 100, 40, 2);
    v2(machine, "/charon/production/" + ID, 150, 50, 0);
    v2(machine, "/db.slice/a", 20, 9, 0);
    MemoryHoldingSensor sensor =
        sensor(machine.detect("/charon"), PageCachePolicy.RESERVED, "/db.slice/*");
    MemoryHolding seen = sensor.read(0);
    assertThat(seen.sample().boundaryBytes())
        .as("a cgroup without a limit bounds nothing")
        .isEqualTo(1024 * MB);
    assertThat(seen.nodeBytes()).isEqualTo(512 * MB);
    assertThat(seen.sample().othersBytes()).isEqualTo(412 * MB);
    assertThat(seen.sample().othersCleanBytes()).isEqualTo((149 - 39) * MB);
    assertThat(seen.sample().systemMappedBytes())
        .isEqualTo(40 * MB - 40 * MB / 4 - 50 * MB / 4 - 9 * MB / 4);
    assertThat(seen.sample().holders())
        .containsExactly(
            new Holder(ID, 151 * MB, MB, 51 * MB, 200 * MB),
            new Holder("/db.slice/a", 21 * MB, MB, 10 * MB, Holder.ALL));
    assertThat(seen.claimBytes()).as("whoever was there did not start now").isZero();
  }

  /** For example a DataNode beside the NodeManager in one slice with a limit. */
  @Test
  void aServiceBelowAnotherOneIsPartOfIt() throws IOException {
    FakeMachine machine = FakeMachine.v2(root).file("proc/meminfo", meminfo());
    v2(machine, "/charon", 390, 150, 4);
    v2(machine, "/charon/best-effort", 100, 40, 2);
    v2(machine, "/db.slice", 30, 9, 0);
    v2(machine, "/db.slice/a", 20, 9, 0);
    MemoryHoldingSensor sensor =
        sensor(
            machine.detect("/charon"),
            PageCachePolicy.RESERVED,
            List.of(
                new MemoryLimitSettings.Service("/db.slice/a", 10 * MB),
                new MemoryLimitSettings.Service("/db.slice", 25 * MB)));

    assertThat(sensor.read(0).sample().holders())
        .containsExactly(new Holder("/db.slice", 31 * MB, MB, 10 * MB, 25 * MB));
  }

  @Test
  void whatRunsBesideTheNodeBelowTheSmallestLimitCounts() throws IOException {
    FakeMachine machine = FakeMachine.v1(root).file("proc/meminfo", meminfo());
    v1(machine, "/slice", 390, 150, 4);
    machine.file("cgroup/memory/slice/memory.limit_in_bytes", 400 * MB + "\n");
    v1(machine, "/slice/datanode", 150, 9, 0);
    v1(machine, "/slice/charon", 240, 100, 4);
    machine.file("cgroup/memory/slice/charon/memory.limit_in_bytes", 410 * MB + "\n");
    v1(machine, "/slice/charon/best-effort", 100, 40, 2);
    MemoryHoldingSensor sensor =
        sensor(machine.detect("/slice/charon"), PageCachePolicy.RESERVED, "/slice/*");
    MemoryHolding seen = sensor.read(0);
    assertThat(seen.sample().boundaryBytes()).isEqualTo(400 * MB);
    assertThat(seen.nodeBytes()).isEqualTo(390 * MB);
    assertThat(seen.sample().othersBytes()).isEqualTo(290 * MB);
    assertThat(seen.sample().holders())
        .containsExactly(new Holder("/slice/datanode", 151 * MB, MB, 10 * MB, Holder.ALL));

    machine.file("cgroup/memory/slice/charon/memory.limit_in_bytes", 300 * MB + "\n");
    MemoryHolding later = sensor.read(SECOND);
    assertThat(later.sample().boundaryBytes()).isEqualTo(300 * MB);
    assertThat(later.nodeBytes()).isEqualTo(240 * MB);
    assertThat(later.sample().holders()).as("it is outside of that limit").isEmpty();
  }

  @Test
  void theProgramReadsTheCgroupWithTheSmallestLimit() throws IOException {
    FakeMachine machine = FakeMachine.v1(root).file("proc/meminfo", meminfo());
    v1(machine, "/slice", 390, 150, 4);
    v1(machine, "/slice/charon", 240, 100, 4);
    machine.file("cgroup/memory/slice/memory.limit_in_bytes", 400 * MB + "\n");
    machine.file("cgroup/memory/slice/charon/memory.limit_in_bytes", 400 * MB + "\n");
    CgroupLayout layout = machine.detect("/slice/charon");
    try (NodeBoundary boundary =
        NodeBoundary.of(MemoryBoundary.CGROUP, layout, root.resolve("proc"))) {
      assertThat(boundary.cgroup())
          .as("of equal limits")
          .contains(machine.path("cgroup/memory/slice"));
      assertThat(boundary.unsuitable(layout)).isEmpty();
    }
  }

  @Test
  void aNewContainerClaimsItsReservationForTenSeconds() throws IOException {
    FakeMachine machine = FakeMachine.v1(root).file("proc/meminfo", meminfo());
    v1(machine, "/charon", 390, 150, 4);
    v1(machine, "/charon/best-effort", 0, 0, 0);
    v1(machine, "/charon/production/" + ID, 50, 10, 0);
    MemoryHoldingSensor sensor =
        sensor(machine.detect("/charon"), PageCachePolicy.RESERVED, "/none");
    reservations.clear();
    assertThat(sensor.read(0).claimBytes()).isZero();
    reservations.put(ID, 200 * MB);
    assertThat(sensor.read(SECOND).claimBytes()).isEqualTo(149 * MB);
    assertThat(sensor.read(12 * SECOND).claimBytes()).isZero();
  }

  /** A hundred containers are read per turn. */
  @Test
  void noContainerThatRanAtTheFirstReadingClaimsItsReservation() throws IOException {
    FakeMachine machine = FakeMachine.v1(root).file("proc/meminfo", meminfo());
    v1(machine, "/charon", 390, 150, 4);
    v1(machine, "/charon/best-effort", 0, 0, 0);
    for (int i = 0; i < RoundRobinReader.MAX_READINGS + 1; i++) {
      String id = "container_1_0001_01_%06d".formatted(i);
      v1(machine, "/charon/production/" + id, 1, 0, 0);
      reservations.put(id, 200 * MB);
    }
    MemoryHoldingSensor sensor =
        sensor(machine.detect("/charon"), PageCachePolicy.RESERVED, "/none");
    assertThat(sensor.read(0).claimBytes()).isZero();
    assertThat(sensor.read(SECOND).claimBytes()).isZero();
    v1(machine, "/charon/production/" + ID.replace("_01_", "_02_"), 50, 10, 0);
    reservations.put(ID.replace("_01_", "_02_"), 200 * MB);
    assertThat(sensor.read(2 * SECOND).claimBytes()).as("a new one").isEqualTo(149 * MB);
  }

  @Test
  void aContainerThatIsGoneIsNoHolder() throws IOException {
    FakeMachine machine = FakeMachine.v1(root).file("proc/meminfo", meminfo());
    v1(machine, "/charon", 390, 150, 4);
    v1(machine, "/charon/best-effort", 0, 0, 0);
    MemoryHolding seen =
        sensor(machine.detect("/charon"), PageCachePolicy.RESERVED, "/none").read(0);
    assertThat(seen.sample().holders()).isEmpty();
  }

  @Test
  void aContainerThatCannotBeReadKeepsItsRightForAWhileAndTheOthersKeepTheirs() throws IOException {
    FakeMachine machine = FakeMachine.v1(root).file("proc/meminfo", meminfo());
    String other = "container_1_0001_01_000003";
    reservations.put(other, 100 * MB);
    v1(machine, "/charon", 390, 150, 4);
    v1(machine, "/charon/best-effort", 100, 40, 2);
    v1(machine, "/charon/production/" + ID, 210, 99, 0);
    v1(machine, "/charon/production/" + other, 50, 9, 0);
    MemoryHoldingSensor sensor =
        sensor(machine.detect("/charon"), PageCachePolicy.RESERVED, "/none");
    Holder first = new Holder(ID, 211 * MB, MB, 100 * MB, 200 * MB);
    Holder second = new Holder(other, 51 * MB, MB, 10 * MB, 100 * MB);
    assertThat(sensor.read(0).sample().holders()).containsExactly(first, second);
    machine.file("cgroup/memory/charon/production/" + ID + "/memory.stat", "nonsense");
    assertThat(sensor.read(30 * SECOND).sample().holders()).containsExactly(first, second);
    assertThat(sensor.read(31 * SECOND).sample().holders()).containsExactly(second);
    v1(machine, "/charon/production/" + ID, 210, 99, 0);
    assertThat(sensor.read(32 * SECOND).sample().holders()).containsExactly(first, second);
  }

  @Test
  void aBoundaryThatIsNotVisibleIsNotReplacedByTheMachine() throws IOException {
    FakeMachine machine = FakeMachine.v1(root).file("proc/meminfo", meminfo());
    CgroupLayout layout = machine.detect("/charon");
    Path proc = root.resolve("proc");
    NodeMemorySensor launches =
        NodeSensors.open(
                TestSettings.of("node.memory-boundary", "self"), proc, Optional.of(layout), Map::of)
            .node();
    String fault =
        "yarn.nodemanager.charon.node.memory-boundary is self, but the memory cgroup of the"
            + " NodeManager is not visible here: set the key to host, or make that cgroup visible";
    assertThatThrownBy(() -> NodeBoundary.of(MemoryBoundary.SELF, layout, proc)).hasMessage(fault);
    assertThatThrownBy(launches::read).hasMessage(fault);

    v1(machine, "/yarn", 300, 150, 4);
    machine.file("cgroup/memory/yarn/memory.limit_in_bytes", 400 * MB + "\n");
    try (NodeBoundary boundary =
        NodeBoundary.of(MemoryBoundary.SELF, machine.detect("/charon"), proc)) {
      assertThat(boundary.read().node().boundaryBytes()).isEqualTo(400 * MB);
    }
  }

  /** The NodeManager does not know the container, for example shortly after a restart. */
  @Test
  void anUnknownReservationCountsWithTheSystemAndKeepsMappedPages() throws IOException {
    FakeMachine machine = FakeMachine.v1(root).file("proc/meminfo", meminfo());
    v1(machine, "/charon", 390, 150, 4);
    machine.file("cgroup/memory/charon/memory.limit_in_bytes", 400 * MB + "\n");
    v1(machine, "/charon/best-effort", 100, 40, 2);
    v1(machine, "/charon/production/" + ID, 210, 99, 0);
    reservations.clear();
    MemoryHolding seen =
        sensor(machine.detect("/charon"), PageCachePolicy.RESERVED, "/none").read(0);
    assertThat(seen.sample().holders()).isEmpty();
    assertThat(seen.sample().othersBytes()).isEqualTo(290 * MB);
    assertThat(seen.sample().systemMappedBytes()).isEqualTo(150 * MB / 4 - 40 * MB / 4);
    assertThat(seen.sample().keptBytes())
        .as("all that is no page cache, what is mapped, and a share of the rest")
        .isEqualTo((290 - 108) * MB + seen.sample().systemMappedBytes() + 20 * MB);
  }
}
