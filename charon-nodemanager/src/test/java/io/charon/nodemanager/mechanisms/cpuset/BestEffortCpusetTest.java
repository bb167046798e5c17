/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.cpuset.Cores;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.Limit;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.execution.Actuator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests cores 0 to 3 on directories that simulate cgroups, with two running best-effort containers.
 */
class BestEffortCpusetTest {
  private static final List<String> CONTAINERS = List.of("c_1", "c_2");

  @TempDir private Path root;
  private FakeMachine machine;
  private CgroupVersion version;
  private CgroupLayout layout;
  private CgroupWriter writer;
  private Actuator cores;

  private void machine(CgroupVersion files, Optional<CpuSplit> split) throws IOException {
    version = files;
    machine = v2() ? FakeMachine.v2(root) : FakeMachine.v1(root);
    layout = machine.detect("/charon");
    for (String cgroup : List.of("", "charon", "charon/production", "charon/best-effort")) {
      cpus(cgroup, v2() ? "" : "0-3");
      if (v2()) {
        machine.file("cgroup/" + cgroup + "/cgroup.subtree_control", "cpuset cpu io memory pids\n");
      }
    }
    CONTAINERS.forEach(id -> cpus("charon/best-effort/" + id, v2() ? "" : "0-3"));
    open(split);
  }

  private void open(Optional<CpuSplit> split) {
    writer = new CgroupWriter(layout, split);
    cores = BestEffortCpuset.actuator(writer.cpusets());
  }

  private boolean v2() {
    return version == CgroupVersion.V2;
  }

  private String file(String cgroup, String name) {
    return (v2() ? "cgroup/" : "cgroup/cpuset/") + cgroup + "/" + name;
  }

  private void cpus(String cgroup, String list) {
    machine
        .file(file(cgroup, "cpuset.cpus"), list + "\n")
        .file(file(cgroup, "cpuset.mems"), v2() ? "\n" : "0\n");
  }

  private String bestEffort() throws IOException {
    return machine.read(file("charon/best-effort", "cpuset.cpus"));
  }

  private List<String> containers() throws IOException {
    return List.of(
        machine.read(file("charon/best-effort/c_1", "cpuset.cpus")),
        machine.read(file("charon/best-effort/c_2", "cpuset.cpus")));
  }

  private static Action.SetLimit on(String list) {
    Cores chosen = Cores.parse(list);
    return new Action.SetLimit(
        Limit.CPUS,
        4,
        Optional.of(chosen),
        Change.TIGHTEN,
        true,
        new Basis("a test", Map.of(), chosen.count(), "a rule", "a reason"));
  }

  @ParameterizedTest
  @EnumSource
  void allOfBestEffortIsConfinedAndLetGo(CgroupVersion files) throws IOException {
    machine(files, Optional.empty());
    assertThat(cores.unavailable()).isEmpty();

    assertThat(cores.apply(on("1,3"))).isEqualTo("cpuset.cpus=1,3");
    assertThat(bestEffort()).isEqualTo("1,3");
    assertThat(containers()).containsOnly(v2() ? "" : "1,3");
    cores.apply(on("0-2"));
    assertThat(bestEffort()).isEqualTo("0-2");
    assertThat(containers()).containsOnly(v2() ? "" : "0-2");
    assertThat(machine.read(file("charon/production", "cpuset.cpus"))).isEqualTo(v2() ? "" : "0-3");

    cores.undo();
    assertThat(bestEffort()).isEqualTo(v2() ? "" : "0-3");
    assertThat(containers()).containsOnly(v2() ? "" : "0-3");
    cores.undo();
    assertThat(bestEffort()).isEqualTo(v2() ? "" : "0-3");
  }

  @ParameterizedTest
  @EnumSource
  void whatTheOperatorGaveItComesBackAlsoAfterAKill(CgroupVersion files) throws IOException {
    Optional<CpuSplit> split = Optional.of(new CpuSplit("0-1", "2-3"));
    machine(files, split);
    cores.apply(on("3"));

    open(split); // the earlier limit was not undone
    cores.undo();
    assertThat(bestEffort()).isEqualTo("2-3");
    assertThat(containers()).containsOnly(v2() ? "" : "2-3");
  }

  @ParameterizedTest
  @EnumSource
  void containersThatStartLaterAreConfinedToo(CgroupVersion files) throws IOException {
    machine(files, Optional.of(new CpuSplit("0-1", "2-3")));
    cores.apply(on("3"));
    cpus("charon/best-effort/c_3", ""); // the kernel's files of a new cgroup
    if (!v2()) {
      machine.file(file("charon/best-effort/c_3", "cpuset.mems"), "");
    }

    writer.createContainer("c_3", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    assertThat(machine.read(file("charon/best-effort/c_3", "cpuset.cpus")))
        .isEqualTo(v2() ? "" : "3");

    writer.prepareNode(); // as if the node's cgroup had vanished
    assertThat(bestEffort()).isEqualTo("3");
    assertThat(machine.read(file("charon/production", "cpuset.cpus"))).isEqualTo("0-1");
    cores.undo();
    writer.prepareNode();
    assertThat(bestEffort()).isEqualTo("2-3");
  }

  @ParameterizedTest
  @EnumSource
  void everyFileThatFailsIsNamedAndTheNextTurnTriesAgain(CgroupVersion files) throws IOException {
    machine(files, Optional.empty());
    List<String> cgroups =
        v2()
            ? List.of("charon/best-effort")
            : List.of("charon/best-effort", "charon/best-effort/c_1", "charon/best-effort/c_2");
    for (String cgroup : cgroups) {
      Path file = machine.path(file(cgroup, "cpuset.cpus"));
      for (boolean missing : new boolean[] {true, false}) {
        Files.delete(file);
        if (!missing) {
          Files.createDirectory(file);
        }
        assertThatThrownBy(() -> cores.apply(on("1")))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(file.toString());
        if (!missing) {
          assertThatThrownBy(() -> cores.undo())
              .isInstanceOf(IOException.class)
              .hasMessageContaining(file.toString())
              .hasMessageContaining("to release it: echo");
          Files.delete(file);
        }
        cpus(cgroup, v2() ? "" : "0-3");
        cores.apply(on("1"));
        assertThat(machine.read(file(cgroup, "cpuset.cpus"))).isEqualTo("1");
        cores.undo();
      }
    }
  }

  @Test
  void onV1WhatTheNodeHasMustBeKnownToUndo() throws IOException {
    machine(CgroupVersion.V1, Optional.empty());
    cores.apply(on("1"));
    Path node = machine.path(file("charon", "cpuset.cpus"));
    Files.delete(node);
    assertThatThrownBy(() -> cores.undo()).hasMessageContaining(node.toString());
    assertThat(bestEffort()).isEqualTo("1");
  }

  @Test
  void nestedCgroupsOfV1Follow() throws IOException {
    machine(CgroupVersion.V1, Optional.empty());
    cpus("charon/best-effort/c_1/nested", "2-3");
    cores.apply(on("0"));
    assertThat(machine.read(file("charon/best-effort/c_1/nested", "cpuset.cpus"))).isEqualTo("0");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsMissingIsSaidWithItsCure(CgroupVersion files) throws IOException {
    machine(files, Optional.empty());
    Files.delete(machine.path(file("charon/best-effort", "cpuset.cpus")));
    assertThat(cores.unavailable().orElseThrow())
        .contains("charon/best-effort/cpuset.cpus does not exist: enable the cpuset controller");
    cores.undo();

    layout =
        new FakeMachine(root.resolve("other"))
            .mountV1("memory", "/", "rw,memory")
            .detect("/charon");
    open(Optional.empty());
    assertThat(cores.unavailable()).contains("the cpuset controller is not mounted");
    assertThatThrownBy(() -> cores.apply(on("1"))).hasMessageContaining("is not mounted");
    cores.undo();
  }

  @Test
  void noCoreAtAllIsNeverWritten() throws IOException {
    machine(CgroupVersion.V2, Optional.empty());
    assertThatThrownBy(() -> cores.apply(on("")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no core");
    assertThat(bestEffort()).isEmpty();
  }
}
