/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the files that the writer writes on both versions, on directories that simulate cgroups.
 */
class CgroupWriterTest {
  private static final OptionalInt NO_SWAPPINESS = OptionalInt.empty();

  @TempDir private Path root;

  private FakeMachine v2Tree() {
    FakeMachine machine = FakeMachine.v2(root);
    for (String cgroup : new String[] {"charon", "charon/production", "charon/best-effort"}) {
      machine
          .file("cgroup/" + cgroup + "/cgroup.subtree_control", "cpuset cpu io memory pids\n")
          .file("cgroup/" + cgroup + "/cpuset.cpus", "\n")
          .file("cgroup/" + cgroup + "/cpu.weight", "100\n");
    }
    return machine;
  }

  private static CgroupWriter writer(FakeMachine machine, Optional<CpuSplit> split)
      throws CgroupException {
    return new CgroupWriter(machine.detect("/charon"), split);
  }

  @Test
  void bestEffortWeighsLeastOnDisksOfWhicheverSchedulerKnowsWeights() throws IOException {
    FakeMachine machine =
        v2Tree()
            .file("cgroup/charon/io.weight", "default 100\n")
            .file("cgroup/charon/best-effort/io.weight", "default 100\n")
            .file("cgroup/charon/best-effort/io.bfq.weight", "default 100\n");

    writer(machine, Optional.empty()).prepareNode();

    assertThat(machine.read("cgroup/charon/best-effort/io.weight")).isEqualTo("1");
    assertThat(machine.read("cgroup/charon/best-effort/io.bfq.weight")).isEqualTo("1");
    assertThat(machine.read("cgroup/charon/io.weight")).as("production's, too").contains("100");
  }

  @Test
  void v2GivesBestEffortTheLowestWeightWhereCpuIdleIsMissing() throws IOException {
    FakeMachine machine = v2Tree();
    CgroupWriter writer = writer(machine, Optional.empty());

    writer.prepareNode();

    assertThat(machine.read("cgroup/charon/best-effort/cpu.weight")).isEqualTo("1");
    assertThat(machine.read("cgroup/charon/production/cpu.weight")).isEqualTo("100");
    assertThat(writer.warnings()).isEmpty();
  }

  @Test
  void v2PrefersCpuIdle() throws IOException {
    FakeMachine machine = v2Tree().file("cgroup/charon/best-effort/cpu.idle", "0\n");

    writer(machine, Optional.empty()).prepareNode();

    assertThat(machine.read("cgroup/charon/best-effort/cpu.idle")).isEqualTo("1");
    assertThat(machine.read("cgroup/charon/best-effort/cpu.weight")).isEqualTo("100");
  }

  @Test
  void v2WeighsAContainerBesideTheOthersOfItsClass() throws IOException {
    FakeMachine machine =
        v2Tree()
            .file("cgroup/charon/production/c_1/cpu.weight", "100\n")
            .file("cgroup/charon/production/c_2/cpu.weight", "100\n");
    CgroupWriter writer = writer(machine, Optional.empty());

    writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 10, false);

    assertThat(machine.read("cgroup/charon/production/c_1/cpu.weight")).isEqualTo("10");
    assertThat(machine.read("cgroup/charon/production/c_2/cpu.weight")).isEqualTo("100");
    assertThat(machine.read("cgroup/charon/production/cpu.weight")).isEqualTo("100");
    assertThat(writer.warnings()).isEmpty();
  }

  @Test
  void v1WeighsAContainerInSharesOfItsOwnScale() throws IOException {
    FakeMachine machine =
        FakeMachine.v1(root).file("cgroup/cpu/charon/production/c_1/cpu.shares", "1024\n");
    CgroupWriter writer = writer(machine, Optional.empty());

    writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 10, false);
    assertThat(machine.read("cgroup/cpu/charon/production/c_1/cpu.shares")).isEqualTo("102");
    writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 100, false);
    assertThat(machine.read("cgroup/cpu/charon/production/c_1/cpu.shares")).isEqualTo("1024");
    assertThat(writer.warnings()).isEmpty();
  }

  @Test
  void anIdleContainerHasNoWeightUntilItIsIdleNoMore() throws IOException {
    FakeMachine machine =
        FakeMachine.v1(root)
            .file("cgroup/cpu/charon/production/c_1/cpu.shares", "1024\n")
            .file("cgroup/cpu/charon/production/c_1/cpu.idle", "0\n");
    CgroupWriter writer = writer(machine, Optional.empty());

    writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 10, true);
    assertThat(machine.read("cgroup/cpu/charon/production/c_1/cpu.idle")).isEqualTo("1");
    assertThat(machine.read("cgroup/cpu/charon/production/c_1/cpu.shares")).isEqualTo("1024");
    writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 10, false);
    assertThat(machine.read("cgroup/cpu/charon/production/c_1/cpu.idle")).isEqualTo("0");
    assertThat(machine.read("cgroup/cpu/charon/production/c_1/cpu.shares")).isEqualTo("102");
    assertThat(writer.warnings()).isEmpty();
  }

  @Test
  void beforeLinux515AnIdleContainerHasItsWeight() throws IOException {
    FakeMachine machine = v2Tree().file("cgroup/charon/production/c_1/cpu.weight", "100\n");
    CgroupWriter writer = writer(machine, Optional.empty());

    writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 10, true);

    assertThat(machine.read("cgroup/charon/production/c_1/cpu.weight")).isEqualTo("10");
    assertThat(writer.warnings()).isEmpty();
  }

  @Test
  void aWeightThatCannotBeSetIsOneWarningAndOneOfAContainerThatIsGoneIsNone() throws IOException {
    FakeMachine machine = v2Tree().file("cgroup/charon/production/c_1/cgroup.procs", "\n");
    CgroupWriter writer = writer(machine, Optional.empty());

    writer.setCpuWeight("gone", ContainerClass.PRODUCTION, 10, false);
    assertThat(writer.warnings()).isEmpty();

    writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 10, false);
    assertThat(writer.warnings()).containsEntry("cpu.weight", 1L);
    assertThatThrownBy(() -> writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 0, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> writer.setCpuWeight("c_1", ContainerClass.PRODUCTION, 101, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void v2SplitsCpusAndTakesTheSplitBack() throws IOException {
    FakeMachine machine = v2Tree();

    writer(machine, Optional.of(new CpuSplit("0-2", " 3 "))).prepareNode();
    assertThat(machine.read("cgroup/charon/production/cpuset.cpus")).isEqualTo("0-2");
    assertThat(machine.read("cgroup/charon/best-effort/cpuset.cpus")).isEqualTo("3");

    writer(machine, Optional.empty()).prepareNode();
    assertThat(machine.read("cgroup/charon/production/cpuset.cpus")).isEmpty();
    assertThat(machine.read("cgroup/charon/best-effort/cpuset.cpus")).isEmpty();
  }

  @Test
  void v2EnablesOnlyTheMissingController() throws IOException {
    FakeMachine machine =
        v2Tree().file("cgroup/charon/cgroup.subtree_control", "cpuset cpu io pids\n");

    writer(machine, Optional.empty()).prepareNode();

    assertThat(machine.read("cgroup/charon/cgroup.subtree_control")).isEqualTo("+memory");
    assertThat(machine.read("cgroup/charon/production/cgroup.subtree_control"))
        .isEqualTo("cpuset cpu io memory pids");
  }

  @Test
  void v2ContainerHasOneProcsFileAndNoSwappiness() throws IOException {
    FakeMachine machine = v2Tree();
    CgroupWriter writer = writer(machine, Optional.empty());

    assertThat(writer.createContainer("c_1", ContainerClass.BEST_EFFORT, OptionalInt.of(0)))
        .containsExactly(machine.path("cgroup/charon/best-effort/c_1/cgroup.procs"));
    assertThat(machine.path("cgroup/charon/best-effort/c_1")).isEmptyDirectory();
    assertThat(writer.warnings()).isEmpty();
  }

  @Test
  void processesAndOomKillsAreReadFromFiles() throws IOException {
    FakeMachine machine =
        v2Tree()
            .file("cgroup/charon/production/c_1/cgroup.procs", "12\n9\n")
            .file("cgroup/charon/production/c_1/nested/cgroup.procs", "9\n10\n")
            .file("cgroup/charon/production/c_1/memory.events", "oom 5\noom_kill 3\nmax 7\n")
            .file("cgroup/charon/production/c_2/cgroup.procs", "\n");
    CgroupWriter writer = writer(machine, Optional.empty());

    assertThat(writer.containers()).containsExactly("c_1", "c_2");
    assertThat(writer.processes("c_1")).containsExactly(9L, 10L, 12L);
    assertThat(writer.populated("c_1")).isTrue();
    assertThat(writer.populated("c_2")).isFalse();
    assertThat(writer.populated("absent")).isFalse();
    assertThat(writer.oomCounts("c_1")).isEqualTo(new OomCounts(3, 5));
    assertThat(writer.oomCounts("c_2")).isEqualTo(OomCounts.none());
    assertThat(writer.oomCounts("absent")).isEqualTo(OomCounts.none());
  }

  @Test
  void v1OomKillsOfNestedCgroupsAreAdded() throws IOException {
    String events = "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n";
    FakeMachine machine =
        FakeMachine.v1(root)
            .file("cgroup/memory/charon/best-effort/c_1/memory.oom_control", events)
            .file("cgroup/memory/charon/best-effort/c_1/memory.failcnt", "0\n")
            .file("cgroup/memory/charon/best-effort/c_1/nested/memory.oom_control", events)
            .file("cgroup/memory/charon/best-effort/c_1/nested/memory.failcnt", "7\n")
            .file("cgroup/memory/charon/best-effort/c_2/memory.failcnt", "7\n");
    CgroupWriter writer = writer(machine, Optional.empty());

    assertThat(writer.oomCounts("c_1")).isEqualTo(new OomCounts(4, 7));
    assertThat(writer.oomCounts("c_2")).as("nothing was killed").isEqualTo(OomCounts.none());
  }

  @Test
  void aKillIsFromAboveIfNoLimitOfTheContainerItselfWasReachedMeanwhile() {
    OomCounts before = new OomCounts(1, 1);

    assertThat(new OomCounts(2, 1).killedFromAboveSince(before)).isTrue();
    assertThat(new OomCounts(2, 2).killedFromAboveSince(before)).isFalse();
    assertThat(new OomCounts(1, 1).killedFromAboveSince(before)).isFalse();
    assertThat(new OomCounts(1, 2).killedFromAboveSince(before)).isFalse();
  }

  private static FakeMachine memoryMin(FakeMachine machine, String cgroup, String value) {
    return machine.file("cgroup/charon" + cgroup + "/memory.min", value + "\n");
  }

  private static List<String> memoryMins(FakeMachine machine, String... cgroups)
      throws IOException {
    List<String> values = new ArrayList<>();
    for (String cgroup : cgroups) {
      values.add(machine.read("cgroup/charon" + cgroup + "/memory.min"));
    }
    return values;
  }

  private FakeMachine v2TreeWithMemoryMin() {
    FakeMachine machine = v2Tree();
    for (String cgroup :
        List.of("", "/production", "/best-effort", "/production/c_1", "/production/c_2")) {
      memoryMin(machine, cgroup, "0");
    }
    return machine;
  }

  /** On a real node memory that the kernel still frees keeps it in use. */
  @Test
  void aCgroupInUseIsWaitedForByTheClockAndRemovedLater() throws IOException {
    FakeMachine machine = v2Tree().file("cgroup/charon/best-effort/c_1/cgroup.procs", "");
    AtomicLong nanos = new AtomicLong();
    CgroupWriter writer =
        new CgroupWriter(
            machine.detect("/charon"), Optional.empty(), () -> nanos.addAndGet(600_000_000));

    assertThat(writer.removeContainer("c_1")).isFalse();
    assertThat(nanos.get()).as("the start, and a second").isEqualTo(3 * 600_000_000L);

    Files.delete(machine.path("cgroup/charon/best-effort/c_1/cgroup.procs"));
    writer.removeLeft();
    assertThat(machine.path("cgroup/charon/best-effort/c_1")).doesNotExist();
  }

  @Test
  void v2ReclaimBypassCoversTheParentsAndShrinksWithTheContainers() throws IOException {
    FakeMachine machine = v2TreeWithMemoryMin();
    CgroupWriter writer = writer(machine, Optional.empty());

    writer.bypassReclaim("c_1", ContainerClass.PRODUCTION, 100);
    writer.bypassReclaim("c_2", ContainerClass.PRODUCTION, 30);
    memoryMin(machine, "/best-effort/c_3", "0");
    writer.bypassReclaim("c_3", ContainerClass.BEST_EFFORT, 7);

    assertThat(memoryMins(machine, "/production/c_1", "/production/c_2", "/best-effort/c_3"))
        .containsExactly("100", "30", "7");
    assertThat(memoryMins(machine, "/production", "/best-effort", ""))
        .containsExactly("130", "7", "137");

    // As the kernel removes the files of a cgroup together with it.
    Files.delete(machine.path("cgroup/charon/production/c_1/memory.min"));
    assertThat(writer.removeContainer("c_1")).isTrue();

    assertThat(memoryMins(machine, "/production", "/best-effort", ""))
        .containsExactly("30", "7", "37");
    assertThat(writer.warnings()).isEmpty();
  }

  @Test
  void aRestartComputesTheParentsFromWhatTheContainersHave() throws IOException {
    FakeMachine machine = v2TreeWithMemoryMin();
    memoryMin(machine, "/production/c_1", "64");
    memoryMin(machine, "/production", "9999");
    memoryMin(machine, "/best-effort", "5");
    memoryMin(machine, "", "1");

    writer(machine, Optional.empty()).prepareNode();

    assertThat(memoryMins(machine, "/production/c_1", "/production", "/best-effort", ""))
        .containsExactly("64", "64", "0", "64");
  }

  @Test
  void theWholeOfAContainerCanBeProtectedFromOutside() throws IOException {
    FakeMachine machine = v2TreeWithMemoryMin();
    memoryMin(machine, "/production/c_1", "max");

    writer(machine, Optional.empty()).bypassReclaim("c_2", ContainerClass.PRODUCTION, 30);

    assertThat(memoryMins(machine, "/production/c_2", "/production", ""))
        .containsExactly("30", "max", "max");
  }

  @Test
  void aReclaimBypassThatFailsIsAWarning() throws IOException {
    FakeMachine machine = v2Tree();
    CgroupWriter writer = writer(machine, Optional.empty());
    writer.createContainer("c_1", ContainerClass.PRODUCTION, NO_SWAPPINESS);

    writer.bypassReclaim("c_1", ContainerClass.PRODUCTION, 100); // the file does not exist
    assertThat(writer.warnings()).containsExactly(Map.entry("memory.min", 1L));

    memoryMin(machine, "/production/c_1", "some text");
    writer.prepareNode();
    assertThat(writer.warnings()).containsExactly(Map.entry("memory.min", 2L));
  }

  @Test
  void v1HasNoReclaimBypass() throws IOException {
    FakeMachine machine = new FakeMachine(root).mountV1("mem", "/", "rw,memory");
    CgroupWriter writer = writer(machine, Optional.empty());
    writer.createContainer("c_1", ContainerClass.PRODUCTION, NO_SWAPPINESS);
    Map<String, Long> before = writer.warnings();

    writer.bypassReclaim("c_1", ContainerClass.PRODUCTION, 100);

    assertThat(machine.path("mem/charon/production/c_1")).isEmptyDirectory();
    assertThat(writer.warnings()).isEqualTo(before);
  }

  @Test
  void foreignCgroupsAreNoContainers() throws IOException {
    FakeMachine machine = v2Tree();
    Files.createDirectory(machine.path("cgroup/charon/production/user.slice"));

    assertThat(writer(machine, Optional.empty()).containers()).isEmpty();
  }

  @Test
  void missingMemoryCgroupNamesPathAndCure() throws IOException {
    FakeMachine machine = FakeMachine.v2(root).file("cgroup/charon", "a file is in the way");
    CgroupWriter writer = writer(machine, Optional.empty());

    assertThatThrownBy(writer::prepareNode)
        .isInstanceOf(CgroupException.class)
        .hasMessageContaining(machine.path("cgroup/charon").toString())
        .hasMessageContaining("yarn.nodemanager.charon.cgroup.enabled");
  }

  @Test
  void aFailingOptionalHierarchyIsOneWarningAndLeftOut() throws IOException {
    // In plain directories memory.use_hierarchy does not exist, and a v1 cpuset cannot be filled.
    FakeMachine machine = FakeMachine.v1(root);
    CgroupWriter writer = writer(machine, Optional.empty());
    writer.prepareNode();

    assertThat(writer.createContainer("c_1", ContainerClass.PRODUCTION, NO_SWAPPINESS))
        .containsExactly(
            machine.path("cgroup/memory/charon/production/c_1/cgroup.procs"),
            machine.path("cgroup/cpu/charon/production/c_1/cgroup.procs"));
    assertThat(writer.warnings()).containsEntry("cgroup in cpuset", 2L);
    assertThat(writer.warnings()).containsEntry("cpu.shares", 1L);
  }

  /**
   * The lowest limit above this process, as of its systemd unit; best-effort leaves that cgroup.
   */
  @Test
  void onV1TheNodeKeepsTheProcessLimitOfItsUnit() throws IOException {
    FakeMachine machine =
        FakeMachine.v1(root)
            .mountV1("cgroup/pids", "/", "rw,pids")
            .self("6:pids:/yarn.slice/nm.service\n4:memory:/yarn\n")
            .file("cgroup/pids/yarn.slice/pids.max", "9000\n")
            .file("cgroup/pids/yarn.slice/nm.service/pids.max", "4915\n")
            .file("cgroup/pids/charon/pids.max", "max\n");

    writer(machine, Optional.empty()).prepareNode();
    assertThat(machine.read("cgroup/pids/charon/pids.max")).isEqualTo("4915");

    machine
        .file("cgroup/pids/yarn.slice/pids.max", "max\n")
        .file("cgroup/pids/yarn.slice/nm.service/pids.max", "max\n");
    writer(machine, Optional.empty()).prepareNode();
    assertThat(machine.read("cgroup/pids/charon/pids.max"))
        .as("who knows who set it")
        .isEqualTo("4915");
  }

  @Test
  void askedForSplitWithoutCpusetControllerIsAWarning() throws IOException {
    FakeMachine machine = new FakeMachine(root).mountV1("mem", "/", "rw,memory");

    assertThat(writer(machine, Optional.of(new CpuSplit("0", "1"))).warnings())
        .containsOnlyKeys("cpuset controller");
  }

  @Test
  void vanishedNodeIsMadeAgain() throws IOException {
    FakeMachine machine = new FakeMachine(root).mountV1("mem", "/", "rw,memory");
    CgroupWriter writer = writer(machine, Optional.empty());

    writer.createContainer("c_1", ContainerClass.PRODUCTION, NO_SWAPPINESS);

    assertThat(machine.path("mem/charon/production/c_1")).isDirectory();
    assertThat(writer.warnings()).containsEntry("node cgroup", 1L);
  }

  @Test
  void removedNodeTakesTheAncestorsThatItMadeAlong() throws IOException {
    FakeMachine machine = new FakeMachine(root).mountV1("mem", "/", "rw,memory");
    Files.createDirectory(machine.path("mem/there"));
    CgroupWriter writer = new CgroupWriter(machine.detect("/there/made/node"), Optional.empty());
    writer.prepareNode();
    writer.createContainer("c_1", ContainerClass.PRODUCTION, NO_SWAPPINESS);

    assertThat(writer.removeNode()).isFalse();
    assertThat(machine.path("mem/there/made/node/production/c_1")).isDirectory();

    assertThat(writer.removeContainer("c_1")).isTrue();
    assertThat(writer.removeNode()).isTrue();
    assertThat(machine.path("mem/there")).isEmptyDirectory();
  }

  @Test
  void badArgumentsAreRefused() throws IOException {
    CgroupWriter writer = writer(v2Tree(), Optional.empty());

    assertThatThrownBy(
            () -> writer.createContainer("../x", ContainerClass.PRODUCTION, NO_SWAPPINESS))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> writer.createContainer("c", ContainerClass.PRODUCTION, OptionalInt.of(201)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("201");
    assertThatThrownBy(() -> writer.bypassReclaim("../x", ContainerClass.PRODUCTION, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> writer.bypassReclaim("c", ContainerClass.PRODUCTION, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> writer.removeContainer(".."))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CpuSplit("0", " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("both");
  }
}
