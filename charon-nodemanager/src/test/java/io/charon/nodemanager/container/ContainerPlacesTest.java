/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.FakeMachine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the location of containers on a simulated machine. */
class ContainerPlacesTest {
  @TempDir Path root;
  private final List<ContainerInfo> running = new ArrayList<>();
  private final Map<String, Long> processes = new HashMap<>();
  private final AtomicInteger asked = new AtomicInteger();
  private FakeMachine machine;
  private CgroupLayout layout;
  private ContainerPlaces places;

  @BeforeEach
  void prepare() throws Exception {
    machine = FakeMachine.v2(root);
    open();
  }

  private void open() throws Exception {
    layout = machine.detect("/charon");
    places =
        new ContainerPlaces(
            layout,
            "yarn",
            () -> running,
            () -> {
              asked.incrementAndGet();
              return processes;
            });
  }

  private ContainerInfo container(String id) throws Exception {
    ContainerInfo container = ContainerInfos.bestEffort(id, 1);
    directory(id, ContainerClass.BEST_EFFORT);
    running.add(container);
    return container;
  }

  private Path directory(String id, ContainerClass containerClass) throws Exception {
    return Files.createDirectories(layout.containerDirectory(layout.memory(), containerClass, id));
  }

  private void process(String id, long pid, String cgroup) {
    processes.put(id, pid);
    machine.file("proc/" + pid + "/cgroup", cgroup + "\n");
  }

  @Test
  void oneThatArrivedIsNotLookedAtAgain() throws Exception {
    container("container_1");
    places.update();
    assertThat(asked).as("it may have a process any moment").hasValue(1);

    process("container_1", 71, "0::/charon/best-effort/container_1/nested");
    places.update();
    places.update();
    places.update();
    assertThat(places.outside()).isEqualTo(ContainerPlaces.Outside.none());
    assertThat(asked).hasValue(2);
  }

  @Test
  void oneElsewhereIsNamedUntilItArrivesOrEnds() throws Exception {
    container("container_1");
    ContainerInfo other = container("container_2");
    process("container_1", 71, "0::/system.slice/nm.service");
    process("container_2", 72, "0::/system.slice/nm.service");

    places.update();
    assertThat(places.outside().places()).as("it may be on its way").isEmpty();
    places.update();
    Path service = root.resolve("cgroup/system.slice/nm.service");
    assertThat(places.outside().places())
        .containsExactly(Map.entry("container_1", service), Map.entry("container_2", service));
    assertThat(places.outside().sentence())
        .get()
        .asString()
        .startsWith("container_1 runs outside its cgroup, in " + service);

    process("container_1", 71, "0::/charon/best-effort/container_1");
    places.update();
    assertThat(places.outside().places()).containsOnlyKeys("container_2");
    running.remove(other);
    places.update();
    assertThat(places.outside()).isEqualTo(ContainerPlaces.Outside.none());
  }

  @Test
  void aContainerWithAnotherNameThatBeginsAlikeIsElsewhere() throws Exception {
    container("container_1");
    process("container_1", 71, "0::/charon/best-effort/container_11");
    places.update();
    places.update();
    assertThat(places.outside().places()).containsOnlyKeys("container_1");
  }

  @Test
  void theRuleOfDelegationIsNamedWithItsCure() throws Exception {
    container("container_1");
    process("container_1", 71, "0::/system.slice/nm.service");
    places.update();
    places.update();

    assertThat(places.outside().reason())
        .isEqualTo(
            "with cgroup v2, moving it needs write permission on "
                + root.resolve("cgroup/cgroup.procs"));
    assertThat(places.outside().cure())
        .contains("ua-killer tree add /charon --user yarn", "/charon/nodemanager");

    // If the file is writable, the reason must be another one.
    machine.file("cgroup/cgroup.procs", "");
    places.update();
    assertThat(places.outside().reason())
        .isEqualTo(
            "it could not enter "
                + layout.containerDirectory(
                    layout.memory(), ContainerClass.BEST_EFFORT, "container_1"));
    assertThat(places.outside().cure()).contains("cgroup.max.descendants");
  }

  @Test
  void onVersion1NothingIsSaidOfDelegation() throws Exception {
    machine = FakeMachine.v1(Files.createDirectories(root.resolve("v1")));
    root = root.resolve("v1");
    open();
    container("container_1");
    process("container_1", 71, "4:memory:/yarn\n0::/");
    places.update();
    places.update();
    assertThat(places.outside().places()).containsOnlyKeys("container_1");
    assertThat(places.outside().reason()).startsWith("it could not enter ");
  }

  @Test
  void aContainerThatChangesItsClassIsReadAgain() throws Exception {
    container("container_1");
    process("container_1", 71, "0::/charon/best-effort/container_1");
    places.update();

    running.set(0, ContainerInfos.production("container_1", 1));
    directory("container_1", ContainerClass.PRODUCTION);
    places.update();
    assertThat(places.outside().places()).as("it may be on its way").isEmpty();
    places.update();
    assertThat(places.outside().places()).containsOnlyKeys("container_1");
  }

  @Test
  void oneThatWasGivenNoCgroupIsNotOutsideOfIt() {
    running.add(ContainerInfos.bestEffort("container_1", 1));
    process("container_1", 71, "0::/system.slice/nm.service");
    places.update();
    places.update();
    assertThat(places.outside()).isEqualTo(ContainerPlaces.Outside.none());
  }
}
