/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static io.charon.nodemanager.cgroup.CgroupController.CPU;
import static io.charon.nodemanager.cgroup.CgroupController.CPUSET;
import static io.charon.nodemanager.cgroup.CgroupController.IO;
import static io.charon.nodemanager.cgroup.CgroupController.MEMORY;
import static io.charon.nodemanager.cgroup.CgroupController.PROCESSES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CgroupLayoutTest {
  private static final String ID = "container_e17_1410901177871_0001_01_000005";

  @TempDir private Path root;
  private FakeMachine machine;

  @BeforeEach
  void setUp() {
    machine = new FakeMachine(root);
  }

  @Test
  void v1HasOneTreePerController() throws Exception {
    CgroupLayout layout = FakeMachine.v1(root).detect("/charon");

    assertThat(layout.version()).isEqualTo(CgroupVersion.V1);
    assertThat(layout.hierarchies())
        .extracting(CgroupHierarchy::name)
        .containsExactly("memory", "cpu", "cpuset");
    CgroupHierarchy cpu = layout.hierarchy(CPU).orElseThrow();
    assertThat(layout.nodeDirectory(cpu)).isEqualTo(root.resolve("cgroup/cpu/charon"));
    assertThat(layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT))
        .isEqualTo(root.resolve("cgroup/memory/charon/best-effort"));
    assertThat(
            layout.containerDirectory(
                layout.hierarchy(CPUSET).orElseThrow(), ContainerClass.PRODUCTION, ID))
        .isEqualTo(root.resolve("cgroup/cpuset/charon/production/" + ID));
  }

  @Test
  void onV1OnlyTheClassesHaveCgroupsOfDisks() throws Exception {
    CgroupLayout layout =
        FakeMachine.v1(root).mountV1("cgroup/blkio", "/", "rw,blkio").detect("/charon");

    CgroupHierarchy disks = layout.hierarchy(IO).orElseThrow();
    assertThat(disks.name()).isEqualTo("blkio");
    assertThat(layout.hierarchies()).doesNotContain(disks);
    assertThat(layout.ofClasses()).hasSize(4).endsWith(disks);
    assertThat(layout.sharedDirectories(ContainerClass.BEST_EFFORT))
        .containsExactly(List.of(root.resolve("cgroup/blkio/charon/best-effort")));
    assertThat(layout.sharedDirectories(ContainerClass.PRODUCTION))
        .as("the first where nobody knows better")
        .containsExactly(
            List.of(root.resolve("cgroup/blkio"), root.resolve("cgroup/blkio/charon/production")));
  }

  @Test
  void disksThatShareAV1HierarchyCannotBeLimited() throws Exception {
    CgroupLayout layout = machine.mountV1("cg/both", "/", "rw,memory,blkio").detect("/a");

    assertThat(layout.hierarchy(IO)).isEmpty();
    assertThat(layout.ofClasses())
        .containsExactly(
            new CgroupHierarchy(CgroupVersion.V1, root.resolve("cg/both"), Set.of(MEMORY)));
  }

  @Test
  void controllersMountedTogetherAreOneHierarchy() throws Exception {
    CgroupLayout layout =
        machine
            .mountV1("cg/cpu,cpuacct", "/", "rw,cpu,cpuacct")
            .mountV1("cg/both", "/", "rw,memory,cpuset")
            .detect("/a/b");

    assertThat(layout.hierarchies())
        .containsExactly(
            new CgroupHierarchy(CgroupVersion.V1, root.resolve("cg/both"), Set.of(MEMORY, CPUSET)),
            new CgroupHierarchy(CgroupVersion.V1, root.resolve("cg/cpu,cpuacct"), Set.of(CPU)));
    assertThat(layout.nodeDirectory(layout.memory())).isEqualTo(root.resolve("cg/both/a/b"));
  }

  @Test
  void hybridUsesV1ControllersAndTheUnifiedHierarchyWithoutController() throws Exception {
    CgroupLayout layout =
        FakeMachine.v1(root).mountV2("cgroup/unified", "/", "hugetlb").detect("/charon");

    assertThat(layout.version()).isEqualTo(CgroupVersion.V1);
    assertThat(layout.hierarchies())
        .extracting(CgroupHierarchy::name)
        .containsExactly("memory", "cpu", "cpuset", "unified");
    assertThat(layout.hierarchies().get(3).version()).isEqualTo(CgroupVersion.V2);
  }

  @Test
  void controllersMayBeSplitBetweenVersions() throws Exception {
    CgroupLayout layout =
        machine.mountV1("cpu", "/", "rw,cpu").mountV2("v2", "/", "memory").detect("/charon");

    assertThat(layout.version()).isEqualTo(CgroupVersion.V2);
    assertThat(layout.hierarchy(CPU).orElseThrow().version()).isEqualTo(CgroupVersion.V1);
    assertThat(layout.hierarchy(CPUSET)).isEmpty();
  }

  @Test
  void v2HasOneDirectoryForAllControllers() throws Exception {
    CgroupLayout layout = FakeMachine.v2(root).detect("/charon");

    assertThat(layout.version()).isEqualTo(CgroupVersion.V2);
    assertThat(layout.hierarchies())
        .containsExactly(
            new CgroupHierarchy(
                CgroupVersion.V2,
                root.resolve("cgroup"),
                Set.of(MEMORY, CPU, CPUSET, IO, PROCESSES)));
    assertThat(layout.containerDirectory(layout.memory(), ContainerClass.BEST_EFFORT, ID))
        .isEqualTo(root.resolve("cgroup/charon/best-effort/" + ID));
  }

  @Test
  void theMountThatShowsTheWholeHierarchyWins() throws Exception {
    CgroupLayout layout =
        machine
            .mountV1("part", "/docker/1", "rw,memory")
            .mountV1("whole", "/", "rw,memory")
            .detect("/charon");

    assertThat(layout.memory().mountPoint()).isEqualTo(root.resolve("whole"));
  }

  @Test
  void mountPointsMayHoldBlanks() throws Exception {
    CgroupLayout layout = machine.mountV1("my cgroups", "/", "rw,memory").detect("/charon");

    assertThat(layout.memory().mountPoint()).isEqualTo(root.resolve("my cgroups"));
  }

  @Test
  void otherMountsMayHaveNamesThatCannotBeRead() throws Exception {
    Path proc = root.resolve("proc");
    CgroupLayout plain = FakeMachine.v2(root).detect("/charon");
    // One name is in Latin-1, and the other in no path.
    byte[] others =
        """
        40 23 8:1 / /mnt/caf\u00e9 rw - ext4 /dev/sda1 rw
        41 23 0:28 / /mnt/\0 rw - cgroup2 cgroup2 rw
        """
            .getBytes(StandardCharsets.ISO_8859_1);
    Files.write(proc.resolve("self/mountinfo"), others, StandardOpenOption.APPEND);

    assertThat(CgroupLayout.detect(proc, "/charon").hierarchies()).isEqualTo(plain.hierarchies());
  }

  @Test
  void withoutMemoryControllerTheCureIsNamed() {
    assertThatThrownBy(
            () -> machine.mountV1("cpu", "/", "rw,cpu").mountV2("v2", "/", "io").detect("/charon"))
        .isInstanceOf(CgroupException.class)
        .hasMessageContaining("memory controller")
        .hasMessageContaining("yarn.nodemanager.charon.cgroup.enabled");
  }

  @Test
  void unreadableMountinfoIsNamed() {
    assertThatThrownBy(() -> CgroupLayout.detect(root, "/charon"))
        .isInstanceOf(CgroupException.class)
        .hasMessageContaining(root.resolve("self/mountinfo").toString());
  }

  @Test
  void ownMemoryCgroupIsFoundOnV1() throws IOException {
    machine = FakeMachine.v1(root);
    Files.createDirectories(root.resolve("cgroup/memory/yarn"));

    assertThat(machine.detect("/charon").selfMemoryDirectory())
        .contains(root.resolve("cgroup/memory/yarn"));
  }

  @Test
  void ownMemoryCgroupIsFoundOnV2() throws IOException {
    machine = FakeMachine.v2(root);
    Files.createDirectories(root.resolve("cgroup/system.slice/nm.service"));

    assertThat(machine.detect("/charon").selfMemoryDirectory())
        .contains(root.resolve("cgroup/system.slice/nm.service"));
  }

  @Test
  void ownMemoryCgroupIsFoundBelowAPartialMount() throws Exception {
    CgroupLayout layout =
        machine.mountV1("mem", "/docker/1", "rw,memory").self("4:memory:/docker/1\n").detect("/c");

    assertThat(layout.selfMemoryDirectory()).contains(root.resolve("mem"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"4:memory:/elsewhere\n", "4:memory:/../up\n", "3:cpu:/\n", "nonsense\n"})
  void ownMemoryCgroupMayBeInvisible(String self) throws Exception {
    CgroupLayout layout =
        machine.mountV1("mem", "/docker/1", "rw,memory").self(self).detect("/charon");

    assertThat(layout.selfMemoryDirectory()).isEmpty();
  }

  @Test
  void containersGoBesideANodeManagerThatLivesInATree() throws Exception {
    machine = FakeMachine.v2(root).self("0::/charon/nodemanager\n");
    Files.createDirectories(root.resolve("cgroup/charon/nodemanager"));

    assertThat(machine.detect("auto").nodePath()).isEqualTo("/charon");
    assertThat(machine.detect("/elsewhere").nodePath()).isEqualTo("/elsewhere");
  }

  @Test
  void containersStayBelowADelegatedUnit() throws Exception {
    machine = FakeMachine.v2(root).self("0::/system.slice/nm.service/nodemanager\n");
    Path unit = Files.createDirectories(root.resolve("cgroup/system.slice/nm.service"));
    Files.createDirectories(unit.resolve("nodemanager"));

    assertThat(machine.detect("auto").nodePath()).isEqualTo("/system.slice/nm.service");
    Files.createDirectories(unit.resolve("charon"));
    assertThat(machine.detect("auto").nodePath()).isEqualTo("/system.slice/nm.service/charon");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/nodemanager", "/system.slice/nm.service", "/a/xnodemanager"})
  void elsewhereContainersHaveATreeOfTheirOwn(String self) throws Exception {
    machine = FakeMachine.v2(root).self("0::" + self + "\n");
    Files.createDirectories(root.resolve("cgroup" + self));

    assertThat(machine.detect("auto").nodePath()).isEqualTo("/charon");
  }

  @Test
  void onV1ContainersHaveATreeOfTheirOwn() throws Exception {
    machine = FakeMachine.v1(root).self("4:memory:/charon/nodemanager\n");
    Files.createDirectories(root.resolve("cgroup/memory/charon/nodemanager"));

    assertThat(machine.detect("auto").nodePath()).isEqualTo("/charon");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "charon", "/a//b", "/a/", "/../a", "/a/..", "/./a", "/a\nb", "//"})
  void badNodePathsAreRefused(String nodePath) {
    assertThatThrownBy(() -> FakeMachine.v1(root).detect(nodePath))
        .isInstanceOf(CgroupException.class)
        .hasMessageContaining("yarn.nodemanager.charon.cgroup.path")
        .hasMessageContaining("'" + nodePath.replace('\n', '?') + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "../x", "a/b", "a b", "a.b", "a\nb", "ä"})
  void badContainerIdsAreRefused(String id) throws Exception {
    CgroupLayout layout = FakeMachine.v1(root).detect("/charon");

    assertThatThrownBy(
            () -> layout.containerDirectory(layout.memory(), ContainerClass.PRODUCTION, id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + id.replace('\n', '?') + "'");
  }

  @Test
  void containerIdsHaveAtMost128Characters() {
    assertThat(CgroupLayout.isContainerId("a".repeat(128))).isTrue();
    assertThat(CgroupLayout.isContainerId("a".repeat(129))).isFalse();
    assertThat(CgroupLayout.isContainerId(ID)).isTrue();
  }
}
