/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * YARN's LinuxContainerExecutor in a stock NodeManager, with containers of another user. Its
 * program is the stand-in or Hadoop's own ({@code CONTAINER_EXECUTOR}).
 */
@ContainerProgram.Needed
class LinuxExecutorIT {
  private static final String CHARON = "yarn.nodemanager.charon.";
  private static final String WAIT = "while [ ! -e %s/release ]; do sleep 0.2; done";

  @TempDir private Path directory;
  private Path said;

  @Test
  @Tag("must-never")
  void containersOfOtherUsersLiveAndDieInCharonsCgroups() throws Exception {
    Path work = prepare();
    try (TestNode node =
            TestNode.startLinux(
                Map.of(
                    CHARON + "memory-limit.mode", "off",
                    CHARON + "killer.kernel.enabled", "false",
                    CHARON + "scheduler.launch-backoff-ms", "1000"),
                work);
        OwnMaster production =
            new OwnMaster(node.cluster().clientConfiguration(), TestNode.PRODUCTION_QUEUE);
        OwnMaster bestEffort = new OwnMaster(node.cluster().clientConfiguration())) {
      Container service = production.run(saysWhoItIs("service", WAIT.formatted(said)));
      Container task = bestEffort.run(saysWhoItIs("task", WAIT.formatted(said)));
      // A score below 0 needs a capability that root may lack.
      assertBornWhereItBelongs(node, service, "service", "production", List.of("0", "-998"));
      assertBornWhereItBelongs(node, task, "task", "best-effort", List.of("1000"));

      restart(node, service, task);

      Container greedy = bestEffort.run("head -c 3900M /dev/zero | tail");
      await("it is killed for memory", () -> bestEffort.ended(greedy).isPresent());
      assertThat(bestEffort.ended(greedy).map(ContainerStatus::getExitStatus))
          .contains(ContainerExitStatus.PREEMPTED);
      await("its cgroup is gone", () -> !node.containerCgroups().contains(id(greedy)));
      assertThat(node.counter("killed")).isEqualTo(1);
      assertThat(production.ended(service)).as("production goes on").isEmpty();

      Files.createFile(said.resolve("release"));
      await("the service ends", () -> production.ended(service).isPresent());
      await("the task ends", () -> bestEffort.ended(task).isPresent());
      assertThat(production.ended(service).map(ContainerStatus::getExitStatus)).contains(0);
      assertThat(bestEffort.ended(task).map(ContainerStatus::getExitStatus)).contains(0);
      node.awaitNothingLeft();
    }
  }

  /** Creates directories that the containers' user may enter, as on a node. */
  private Path prepare() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    said = Files.createDirectory(directory.resolve("said"));
    Files.setPosixFilePermissions(said, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path work = Files.createDirectory(directory.resolve("cluster"));
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
    return work;
  }

  /**
   * Returns a command that writes its user, its score and its cgroups, and then runs another one.
   */
  private String saysWhoItIs(String name, String then) {
    return "{ id -u; cat /proc/self/oom_score_adj /proc/self/cgroup; } > %s/.%s; mv %s/.%s %s/%s; %s"
        .formatted(said, name, said, name, said, name, then);
  }

  private void assertBornWhereItBelongs(
      TestNode node, Container container, String name, String side, List<String> scores)
      throws Exception {
    await(name + " runs", () -> Files.exists(said.resolve(name)));
    List<String> lines = Files.readAllLines(said.resolve(name));
    assertThat(lines.get(0)).isEqualTo(Long.toString(ContainerProgram.userId()));
    assertThat(lines.get(1)).isIn(scores);
    String own = "/" + side + "/" + id(container);
    assertThat(lines.stream().filter(line -> line.endsWith(own)))
        .as("cgroups of %s: %s", name, lines)
        .hasSameSizeAs(hierarchies(node, own));
    assertThat(node.memoryCgroup() + own).satisfies(cgroup -> Files.isDirectory(Path.of(cgroup)));
  }

  /** Returns the hierarchies in which a container has a cgroup. */
  private static List<Path> hierarchies(TestNode node, String own) throws IOException {
    Path memory = Path.of("/sys/fs/cgroup/memory");
    if (!Files.isDirectory(memory)) {
      return List.of(node.memoryCgroup());
    }
    Path below = memory.relativize(node.memoryCgroup());
    try (var mounts = Files.list(memory.getParent())) {
      return mounts
          .filter(mount -> Files.isDirectory(mount.resolve(below + own)))
          .filter(mount -> !Files.isSymbolicLink(mount))
          .toList();
    }
  }

  /**
   * Restarts the NodeManager; the containers keep running, and the new NodeManager watches them.
   */
  private void restart(TestNode node, Container... containers) throws Exception {
    node.cluster().killNodeManager(0);
    node.cluster().startNodeManager(0);
    for (Container container : containers) {
      await(
          container.getId() + " is watched again",
          () ->
              node.status()
                  .path("running")
                  .findValuesAsText("containerId")
                  .contains(id(container)));
      assertThat(node.containerCgroups()).contains(id(container));
    }
  }

  private static String id(Container container) {
    return container.getId().toString();
  }
}
