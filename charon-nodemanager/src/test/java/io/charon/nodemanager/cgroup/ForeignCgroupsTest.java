/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Uses trees as YARN's handlers and Docker's two cgroup drivers create them; Docker is not needed.
 */
class ForeignCgroupsTest {
  private static final String ID = "container_1_0001_01_000002";
  private static final String HASH = "0123456789abcdef".repeat(4);
  private static final String OTHER_HASH = "f".repeat(64);

  @TempDir private Path root;

  @Test
  void yarnsHandlersNameThemAsTheContainer() throws IOException {
    FakeMachine machine = FakeMachine.v1(root);
    cgroups("cgroup/memory/hadoop-yarn/" + ID, "cgroup/cpu/hadoop-yarn/" + ID);
    process(
        machine, "4:memory:/hadoop-yarn/" + ID + "\n1:cpu:/hadoop-yarn/" + ID + "\n3:cpuset:/\n");

    AdoptedCgroup found = find(machine).orElseThrow();

    assertThat(found.memory()).contains(root.resolve("cgroup/memory/hadoop-yarn/" + ID));
    assertThat(Set.copyOf(found.directories().values()))
        .containsExactlyInAnyOrder(
            root.resolve("cgroup/memory/hadoop-yarn/" + ID),
            root.resolve("cgroup/cpu/hadoop-yarn/" + ID));
    assertThat(found.byEngine()).isFalse();
  }

  @Test
  void whatYarnDoesNotCountIsNotAdopted() throws IOException {
    FakeMachine machine = FakeMachine.v1(root);
    cgroups("cgroup/cpu/hadoop-yarn/" + ID, "cgroup/memory/yarn");
    process(machine, "4:memory:/yarn\n1:cpu:/hadoop-yarn/" + ID + "\n");

    assertThat(find(machine).orElseThrow().memory()).isEmpty();
  }

  @Test
  void dockerNestsItsOwnInYarns() throws IOException {
    FakeMachine machine = FakeMachine.v2(root);
    cgroups("cgroup/hadoop-yarn/" + ID + "/" + HASH);
    process(machine, "0::/hadoop-yarn/" + ID + "/" + HASH + "\n");

    AdoptedCgroup found = find(machine).orElseThrow();

    assertThat(found.memory()).contains(root.resolve("cgroup/hadoop-yarn/" + ID));
    assertThat(found.byEngine()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"docker/HASH", "system.slice/docker-HASH.scope", "yarn.slice/HASH"})
  void dockerAloneMakesThemByEitherCgroupDriver(String path) throws IOException {
    String directory = path.replace("HASH", HASH);
    for (String below :
        List.of("", "/init.scope", "/system.slice/docker-" + OTHER_HASH + ".scope")) {
      FakeMachine machine = FakeMachine.v2(root);
      cgroups("cgroup/" + directory + below);
      process(machine, "0::/" + directory + below + "\n");

      AdoptedCgroup found = find(machine).orElseThrow();

      assertThat(found.memory()).as(below).contains(root.resolve("cgroup/" + directory));
      assertThat(found.byEngine()).isTrue();
    }
  }

  @Test
  void runcNamesThemByTheContainer() throws IOException {
    FakeMachine machine = FakeMachine.v2(root);
    cgroups("cgroup/hadoop-yarn/" + ID, "cgroup/hadoop-yarn/runc-" + ID);
    process(machine, "0::/hadoop-yarn/runc-" + ID + "\n");

    AdoptedCgroup found = find(machine).orElseThrow();

    assertThat(found.memory()).contains(root.resolve("cgroup/hadoop-yarn/runc-" + ID));
    assertThat(found.byEngine()).isTrue();
  }

  @ParameterizedTest
  @Tag("must-never")
  @ValueSource(
      strings = {
        "/",
        "/system.slice/nm.service",
        "/hadoop-yarn",
        "/hadoop-yarn/container_1_0001_01_000003",
        "/hadoop-yarn/runc-container_1_0001_01_000003",
        "/hadoop-yarn/../sshd",
        "/docker/0123456789abcdef",
        "/kubepods/pod1",
      })
  void whatIsNotTheContainersAloneIsNotAdopted(String path) throws IOException {
    FakeMachine machine = FakeMachine.v2(root);
    cgroups("cgroup" + path);
    process(machine, "0::" + path + "\n");

    assertThat(find(machine)).isEmpty();
  }

  @Test
  @Tag("must-never")
  void aNodeManagerInDockerDoesNotAdoptItself() throws IOException {
    FakeMachine machine = FakeMachine.v2(root).self("0::/docker/" + HASH + "/nodemanager\n");
    cgroups("cgroup/docker/" + HASH);
    process(machine, "0::/docker/" + HASH + "\n");

    assertThat(find(machine)).isEmpty();
  }

  @Test
  void oneThatHasNotComeYetOrWentIsNotThere() throws IOException {
    FakeMachine machine = FakeMachine.v2(root);
    assertThat(find(machine)).as("no process").isEmpty();
    process(machine, "0::/hadoop-yarn/" + ID + "\n");
    assertThat(find(machine)).as("YARN has removed it").isEmpty();
  }

  @Test
  void anIdThatIsNoneIsRefused() throws IOException {
    ForeignCgroups foreign = new ForeignCgroups(FakeMachine.v2(root).detect("/hadoop-yarn"));
    assertThatIllegalArgumentException().isThrownBy(() -> foreign.find("../sshd", 77));
  }

  private static Optional<AdoptedCgroup> find(FakeMachine machine) throws IOException {
    return new ForeignCgroups(machine.detect("/hadoop-yarn")).find(ID, 77);
  }

  private void cgroups(String... directories) throws IOException {
    for (String directory : directories) {
      Path cgroup = Files.createDirectories(root.resolve(directory).normalize());
      for (; !cgroup.equals(root); cgroup = cgroup.getParent()) {
        Files.writeString(cgroup.resolve("memory.current"), "1\n");
        Files.writeString(cgroup.resolve("memory.usage_in_bytes"), "1\n");
      }
    }
  }

  private static void process(FakeMachine machine, String cgroup) {
    machine.file("proc/77/cgroup", cgroup);
  }
}
