/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerFreezerTest {
  @TempDir Path root;

  private static FakeMachine v1(Path root) {
    return FakeMachine.v1(root).mountV1("cgroup/freezer", "/", "rw,freezer");
  }

  @Test
  void onV2AndHybridTheUnifiedHierarchyFreezes() throws IOException {
    for (FakeMachine machine :
        new FakeMachine[] {
          FakeMachine.v2(root.resolve("v2")),
          v1(root.resolve("hybrid")).mountV2("cgroup", "/", "hugetlb")
        }) {
      String file = "cgroup/charon/best-effort/c1/cgroup.freeze";
      machine.file(file, "0\n").file("cgroup/charon/best-effort/cgroup.freeze", "0\n");
      CgroupLayout layout = machine.detect("/charon");
      ContainerFreezer freezer = new ContainerFreezer(layout);

      assertThat(layout.hierarchy(CgroupController.FREEZER)).isEmpty();
      assertThat(freezer.unavailable()).isEmpty();
      freezer.freeze("c1");
      assertThat(machine.read(file)).isEqualTo("1");
      assertThat(freezer.isFrozen("c1")).isTrue();
      assertThat(freezer.thaw("c1")).isTrue();
      assertThat(machine.read(file)).isEqualTo("0");
      assertThat(freezer.thaw("c1")).isFalse();
    }
  }

  @Test
  void whereNothingElseIsMountedTheV1FreezerDoes() throws IOException {
    FakeMachine machine = v1(root);
    String file = "cgroup/freezer/charon/best-effort/c1/freezer.state";
    machine
        .file(file, "THAWED\n")
        .file("cgroup/freezer/charon/best-effort/freezer.state", "THAWED\n");
    ContainerFreezer freezer = new ContainerFreezer(machine.detect("/charon"));

    assertThat(freezer.unavailable()).isEmpty();
    freezer.freeze("c1");
    assertThat(machine.read(file)).isEqualTo("FROZEN");
    machine.file(file, "FREEZING\n");
    assertThat(freezer.isFrozen("c1")).isTrue();
    assertThat(freezer.thaw("c1")).isTrue();
    assertThat(machine.read(file)).isEqualTo("THAWED");
  }

  @Test
  void aMachineThatCannotFreezeSaysWhy() throws IOException {
    assertThat(new ContainerFreezer(FakeMachine.v1(root).detect("/charon")).unavailable())
        .hasValueSatisfying(reason -> assertThat(reason).contains("mount cgroup v2"));
    assertThat(
            new ContainerFreezer(FakeMachine.v2(root.resolve("old")).detect("/charon"))
                .unavailable())
        .hasValueSatisfying(reason -> assertThat(reason).contains("Linux 5.2"));
  }

  @Test
  void aContainerWithoutCgroupCannotBeFrozenAndNeedNotBeThawed() throws IOException {
    ContainerFreezer freezer = new ContainerFreezer(FakeMachine.v2(root).detect("/charon"));

    assertThatThrownBy(() -> freezer.freeze("c1")).hasMessageContaining("c1 has no cgroup");
    assertThat(freezer.thaw("c1")).isFalse();
    assertThat(freezer.isFrozen("c1")).isFalse();
    assertThatThrownBy(() -> freezer.freeze("../c1")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onV2MemoryIsAskedBackInStepsWhileItIsFrozen() throws IOException {
    FakeMachine machine =
        FakeMachine.v2(root)
            .file("cgroup/charon/best-effort/c1/memory.stat", "anon 1000\n")
            .file("cgroup/charon/best-effort/c1/memory.reclaim", "");
    ContainerFreezer freezer = new ContainerFreezer(machine.detect("/charon"));
    int[] asked = {0};

    freezer.reclaim("c1", 40L << 20, () -> asked[0]++ < 100);
    assertThat(asked[0]).isEqualTo(2);
    assertThat(machine.read("cgroup/charon/best-effort/c1/memory.reclaim"))
        .isEqualTo(Long.toString(8L << 20));
    assertThat(freezer.reclaim("c1", 40L << 20, () -> false)).isZero();
  }
}
