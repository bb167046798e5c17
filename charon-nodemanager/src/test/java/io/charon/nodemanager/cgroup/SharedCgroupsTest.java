/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the v1 cgroups of a class on directories that simulate cgroups. */
class SharedCgroupsTest {
  private static final String OWN = "cgroup/blkio/yarn/cgroup.procs";
  private static final String PRODUCTION = "cgroup/blkio/charon/production/cgroup.procs";
  private static final String BEST_EFFORT = "cgroup/blkio/charon/best-effort/cgroup.procs";

  @TempDir private Path root;
  private FakeMachine machine;
  private SharedCgroups shared;

  @BeforeEach
  void setUp() throws CgroupException {
    machine =
        FakeMachine.v1(root)
            .mountV1("cgroup/blkio", "/", "rw,blkio")
            .self("5:blkio:/yarn\n4:memory:/yarn\n")
            .file(OWN, "")
            .file(PRODUCTION, "")
            .file(BEST_EFFORT, "");
    shared = new SharedCgroups(machine.detect("/charon"));
  }

  @Test
  void aPromotedContainerComesToTheCgroupOfTheNodeManager() throws IOException {
    shared.enter(ContainerClass.PRODUCTION, () -> Set.of(7L));

    assertThat(machine.read(OWN)).isEqualTo("7");
    assertThat(machine.read(PRODUCTION)).isEmpty();
  }

  /** A missing file, because root may write every other one. */
  @Test
  void whereTheNodeManagerMayNotWriteItsOwnCgroupPromotedContainersHaveAnother()
      throws IOException {
    Files.delete(machine.path(OWN));

    shared.enter(ContainerClass.PRODUCTION, () -> Set.of(7L));

    assertThat(machine.read(PRODUCTION)).isEqualTo("7");
    assertThat(machine.path(OWN)).doesNotExist();
  }

  @Test
  void aDemotedContainerIsLeftBehindInEitherCgroupOfProduction() throws IOException {
    for (String left : new String[] {OWN, PRODUCTION}) {
      machine.file(left, "6\n7\n");
      assertThat(shared.leavesBehind(ContainerClass.BEST_EFFORT, () -> Set.of(7L))).isTrue();
      assertThat(shared.leavesBehind(ContainerClass.PRODUCTION, () -> Set.of(7L))).isFalse();
      machine.file(left, "6\n");
      assertThat(shared.leavesBehind(ContainerClass.BEST_EFFORT, () -> Set.of(7L))).isFalse();
    }
    machine.file(BEST_EFFORT, "7\n");
    assertThat(shared.leavesBehind(ContainerClass.PRODUCTION, () -> Set.of(7L))).isTrue();
  }

  /** Where root has given the NodeManager's user no cgroup of this controller. */
  @Test
  void bestEffortThatCouldNotEnterACgroupAtItsStartIsNotLeftBehind() throws IOException {
    machine.file(OWN, "7\n");
    Files.delete(machine.path(BEST_EFFORT));

    assertThat(shared.leavesBehind(ContainerClass.BEST_EFFORT, () -> Set.of(7L))).isFalse();
  }

  @Test
  void onlyBestEffortIsLaunchedIntoItsCgroup() {
    assertThat(shared.launchesInto(ContainerClass.BEST_EFFORT))
        .containsExactly(machine.path(BEST_EFFORT));
    assertThat(shared.launchesInto(ContainerClass.PRODUCTION)).isEmpty();
  }

  @Test
  void processesAreCountedInTheSameWay() throws Exception {
    String own = "cgroup/pids/cgroup.procs";
    String bestEffort = "cgroup/pids/charon/best-effort/cgroup.procs";
    shared =
        new SharedCgroups(
            machine
                .mountV1("cgroup/pids", "/", "rw,pids")
                .self("6:pids:/\n5:blkio:/yarn\n4:memory:/yarn\n")
                .file(own, "")
                .file(bestEffort, "7\n")
                .detect("/charon"));

    assertThat(shared.launchesInto(ContainerClass.BEST_EFFORT))
        .containsExactly(machine.path(BEST_EFFORT), machine.path(bestEffort));
    assertThat(shared.leavesBehind(ContainerClass.PRODUCTION, () -> Set.of(7L))).isTrue();

    shared.enter(ContainerClass.PRODUCTION, () -> Set.of(7L));
    assertThat(machine.read(own)).isEqualTo("7");
    assertThat(machine.read(OWN)).isEqualTo("7");
  }
}
