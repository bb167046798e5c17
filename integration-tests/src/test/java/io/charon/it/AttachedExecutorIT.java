/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * LinuxContainerExecutor with YARN's own CPU and memory handlers (isolation {@code attach}) on real
 * cgroups of version 1, in a stock NodeManager, with containers of another user.
 */
@ContainerProgram.Needed
class AttachedExecutorIT {
  private static final String CHARON = "yarn.nodemanager.charon.";
  private static final Path MOUNTS = Path.of("/sys/fs/cgroup");
  private static final Map<String, String> DOCKER =
      Map.of(
          "YARN_CONTAINER_RUNTIME_TYPE", "docker",
          "YARN_CONTAINER_RUNTIME_DOCKER_IMAGE", "local/none");
  private static final String HIERARCHY = "/charon-it-" + ProcessHandle.current().pid() + "/node1";

  @TempDir private Path directory;

  @Test
  @Tag("must-never")
  void whatYarnMadeIsAdoptedSetAndLeftToYarn() throws Exception {
    assumeVersion1();
    Path work = prepare();
    try (TestNode node = TestNode.startLinux(handlers(true), work);
        OwnMaster production =
            new OwnMaster(node.cluster().clientConfiguration(), TestNode.PRODUCTION_QUEUE);
        OwnMaster bestEffort = new OwnMaster(node.cluster().clientConfiguration())) {
      assertThat(node.status().at("/isolation/kind").asText()).isEqualTo("attach");
      assertThat(node.status().at("/isolation/memoryLimit").asText()).startsWith("not enforced");
      Container service = production.run("sleep 600");
      Container task = bestEffort.run("sleep 600");
      awaitMeasured(node, service);
      awaitMeasured(node, task);
      assertThat(read("cpu", service, "cpu.shares")).isEqualTo("1024");
      await("its swappiness is set", () -> read("memory", task, "memory.swappiness").equals("60"));
      assertThat(read("cpu", task, "cpu.shares")).isEqualTo("2");
      assertThat(scores(task)).isEqualTo("1000");
      assertThat(node.containerCgroups()).as("Charon makes none").isEmpty();
      await("the limit is told", () -> memoryLimit(node).path("limit").asDouble() > 0);
      assertThat(memoryLimit(node).path("signalNote").asText()).contains("not enforced");
      assertThat(memoryLimit(node).path("result").asText()).contains("best-effort may hold");

      Files.writeString(file("cpu", task, "cpu.shares"), "4096");
      Files.writeString(file("memory", task, "memory.swappiness"), "11");
      node.cluster().killNodeManager(0);
      node.cluster().startNodeManager(0);
      await("it is set again", () -> read("cpu", task, "cpu.shares").equals("2"));
      await("that, too", () -> read("memory", task, "memory.swappiness").equals("60"));
      awaitMeasured(node, service);

      Container greedy = bestEffort.run("head -c 3900M /dev/zero | tail");
      await("it is killed for memory", () -> bestEffort.ended(greedy).isPresent());
      assertThat(bestEffort.ended(greedy).map(ContainerStatus::getExitStatus))
          .contains(ContainerExitStatus.PREEMPTED);
      assertThat(node.counter("killed")).isEqualTo(1);
      assertThat(production.ended(service)).as("production goes on").isEmpty();

      bestEffort.promote(task);
      await("YARN weighs it", () -> read("cpu", task, "cpu.shares").equals("1024"));
      await("its score follows", () -> !scores(task).equals("1000"));
      assertThat(node.status().has("outsideCgroups")).isFalse();
      assertThat(node.counter("toleratedFailures")).isZero();
    }
  }

  /** Hadoop's own Docker runtime; the stand-in for its program also acts as Docker's daemon. */
  @Test
  @Tag("long")
  void aContainerOfDockersIsFoundSetAndKilled() throws Exception {
    assumeVersion1();
    assumeTrue(ContainerProgram.isStandIn(), "Hadoop's program would need a Docker daemon");
    Path work = prepare();
    Map<String, String> properties = handlers(true);
    properties.put(YarnConfiguration.LINUX_CONTAINER_RUNTIME_ALLOWED_RUNTIMES, "default,docker");
    try (TestNode node = TestNode.startLinux(properties, work);
        OwnMaster bestEffort = new OwnMaster(node.cluster().clientConfiguration())) {
      Container task = bestEffort.run("sleep 600", 512, DOCKER);
      awaitMeasured(node, task);

      await("its weight is the least", () -> read("cpu", task, "cpu.shares").equals("2"));
      await("its swappiness is set", () -> read("memory", task, "memory.swappiness").equals("60"));
      Path nested;
      try (Stream<Path> below = Files.list(file("memory", task, "."))) {
        nested = below.filter(Files::isDirectory).findFirst().orElseThrow();
      }
      String process = Files.readString(nested.resolve("cgroup.procs")).lines().findFirst().get();
      await(
          "its score is set, which it inherits from nobody",
          () ->
              Files.readString(Path.of("/proc", process, "oom_score_adj")).strip().equals("1000"));

      Container greedy = bestEffort.run("head -c 3900M /dev/zero | tail", 512, DOCKER);
      await("it is killed for memory", () -> bestEffort.ended(greedy).isPresent());
      assertThat(bestEffort.ended(greedy).map(ContainerStatus::getExitStatus))
          .contains(ContainerExitStatus.PREEMPTED);
      assertThat(bestEffort.ended(task)).isEmpty();
      assertThat(node.status().has("outsideCgroups")).isFalse();
    }
  }

  private static void assumeVersion1() {
    assumeTrue(
        Files.isDirectory(MOUNTS.resolve("memory")) && Files.isDirectory(MOUNTS.resolve("cpu")),
        "Hadoop 3.4's handlers know cgroup v1 only");
  }

  /** Only the CPU handler is YARN's; everything else, including the memory limit, is Charon's. */
  @Test
  @Tag("long")
  void besideYarnsCpuHandlerCharonMakesTheOtherCgroups() throws Exception {
    assumeVersion1();
    Path work = prepare();
    try (TestNode node = TestNode.startLinux(handlers(false), work);
        OwnMaster bestEffort = new OwnMaster(node.cluster().clientConfiguration())) {
      assertThat(node.status().at("/isolation/kind").asText()).isEqualTo("beside");
      Container task = bestEffort.run("sleep 600");
      awaitMeasured(node, task);

      assertThat(node.containerCgroups()).contains(task.getId().toString());
      await("YARN's weight is there", () -> read("cpu", task, "cpu.shares").equals("2"));
      String process = read("cpu", task, "cgroup.procs").lines().findFirst().orElseThrow();
      assertThat(
              Files.readString(
                  node.memoryCgroup().resolve("best-effort/" + task.getId() + "/cgroup.procs")))
          .contains(process);
      assertThat(node.status().has("outsideCgroups")).isFalse();
      // That of Hadoop 3.4 refuses a unified hierarchy beside version 1, once.
      assertThat(node.counter("toleratedFailures"))
          .isLessThanOrEqualTo(ContainerProgram.isStandIn() ? 0 : 1);
    }
  }

  private static Map<String, String> handlers(boolean memory) {
    Map<String, String> properties = new HashMap<>();
    properties.put(YarnConfiguration.NM_CPU_RESOURCE_ENABLED, "true");
    properties.put(YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED, Boolean.toString(memory));
    properties.put(YarnConfiguration.NM_MEMORY_RESOURCE_ENFORCED, "false");
    properties.put(YarnConfiguration.NM_LINUX_CONTAINER_CGROUPS_HIERARCHY, HIERARCHY);
    // With YARN's memory handler, YARN's own monitor would sometimes kill first.
    properties.put(YarnConfiguration.NM_PMEM_CHECK_ENABLED, "false");
    properties.put(CHARON + "killer.kernel.enabled", "false");
    properties.put(CHARON + "scheduler.launch-backoff-ms", "1000");
    return properties;
  }

  /** Creates directories that the containers' user may enter, as on a node. */
  private Path prepare() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path work = Files.createDirectory(directory.resolve("cluster"));
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
    return work;
  }

  /** Waits until a container is running and measured. */
  private static void awaitMeasured(TestNode node, Container container) throws Exception {
    await(
        container.getId() + " is measured",
        () -> {
          for (JsonNode one : node.status().path("running")) {
            if (one.path("containerId").asText().equals(container.getId().toString())) {
              return one.path("workingSetBytes").asLong() > 0;
            }
          }
          return false;
        });
  }

  private static JsonNode memoryLimit(TestNode node) throws InterruptedException {
    for (JsonNode regulator : node.status().path("regulators")) {
      if (regulator.path("name").asText().equals("memory-limit")) {
        return regulator;
      }
    }
    return MissingNode.getInstance();
  }

  private static String scores(Container container) throws IOException {
    String process = read("memory", container, "cgroup.procs").lines().findFirst().orElseThrow();
    return Files.readString(Path.of("/proc", process, "oom_score_adj")).strip();
  }

  private static String read(String controller, Container container, String name)
      throws IOException {
    return Files.readString(file(controller, container, name)).strip();
  }

  private static Path file(String controller, Container container, String name) {
    return MOUNTS
        .resolve(controller)
        .resolve(HIERARCHY.substring(1))
        .resolve(container.getId().toString())
        .resolve(name);
  }
}
