/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import static io.charon.nodemanager.container.ContainerInfos.bestEffort;
import static io.charon.nodemanager.container.ContainerInfos.master;
import static io.charon.nodemanager.container.ContainerInfos.production;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.cgroup.ForeignCgroups;
import io.charon.nodemanager.config.CharonSettings.ProcessSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdoptedContainersTest {
  private static final String HASH = "0123456789abcdef".repeat(4);
  private static final long MEBIBYTE = 1L << 20;
  private static final String NOT_KNOWN_YET = "its cgroup is not known yet";

  @TempDir private Path root;
  private final List<ContainerInfo> running = new ArrayList<>();
  private final Map<String, Long> processes = new HashMap<>();
  private final Set<String> untouched = new HashSet<>();
  private final List<String> told = new ArrayList<>();
  private final Counter failures = new Counter();
  private FakeMachine machine;
  private long nanos;

  @Test
  void bestEffortWeighsLeastAndProductionStaysAsYarnMadeIt() throws IOException {
    AdoptedContainers adopted = v1(true);
    yarns("c_1", 11, bestEffort("c_1", MEBIBYTE));
    yarns("c_2", 12, production("c_2", MEBIBYTE));
    yarns("c_3", 13, master("c_3", MEBIBYTE));

    adopted.update();

    assertThat(shares("c_1")).isEqualTo("2");
    assertThat(swappiness("c_1")).isEqualTo("60");
    assertThat(shares("c_2")).isEqualTo("2048");
    assertThat(swappiness("c_2")).isEqualTo("100");
    assertThat(shares("c_3")).isEqualTo("2048");
    assertThat(swappiness("c_3")).isEqualTo("0");
    assertThat(adopted.memory())
        .containsOnlyKeys("c_1", "c_2", "c_3")
        .containsEntry("c_1", root.resolve("cgroup/memory/hadoop-yarn/c_1"));
    assertThat(adopted.bestEffort()).containsExactly("c_1");
    assertThat(told).containsExactlyInAnyOrder("c_1", "c_2", "c_3");
    assertThat(adopted.survivors()).hasSize(3).containsValue("c_1");
    adopted.update();
    assertThat(told).as("once each").hasSize(3);
    assertThat(adopted.outside().places()).isEmpty();
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void onVersion2AnApplicationMastersMemoryIsKept() throws IOException {
    machine = FakeMachine.v2(root);
    AdoptedContainers adopted = adopted(true);
    machine
        .file("cgroup/hadoop-yarn/c_3/memory.min", "0\n")
        .file("cgroup/hadoop-yarn/c_3/cpu.weight", "100\n")
        .file("cgroup/hadoop-yarn/c_1/cpu.weight", "100\n")
        .file("proc/13/cgroup", "0::/hadoop-yarn/c_3\n")
        .file("proc/11/cgroup", "0::/hadoop-yarn/c_1\n");
    start(13, master("c_3", MEBIBYTE));
    start(11, bestEffort("c_1", MEBIBYTE));

    adopted.update();

    assertThat(machine.read("cgroup/hadoop-yarn/c_3/memory.min")).isEqualTo("1048576");
    assertThat(machine.read("cgroup/hadoop-yarn/c_3/cpu.weight")).isEqualTo("100");
    assertThat(machine.read("cgroup/hadoop-yarn/c_1/cpu.weight")).isEqualTo("1");
    assertThat(adopted.warnings()).isZero();
  }

  @Test
  void whatYarnWritesOverIsSetAgainWithinTenSeconds() throws IOException {
    AdoptedContainers adopted = v1(true);
    yarns("c_1", 11, bestEffort("c_1", MEBIBYTE));
    looks(adopted, 3);
    machine.file("cgroup/cpu/hadoop-yarn/c_1/cpu.shares", "4096\n");

    nanos += Duration.ofSeconds(9).toNanos();
    adopted.update();
    assertThat(shares("c_1")).isEqualTo("4096");
    nanos += Duration.ofSeconds(1).toNanos();
    adopted.update();

    assertThat(shares("c_1")).isEqualTo("2");
  }

  @Test
  void aPromotedOneWeighsAsYarnSaysOrFullyWhereYarnSaysNothing() throws IOException {
    AdoptedContainers yarnWeighs = v1(true);
    yarns("c_1", 11, bestEffort("c_1", MEBIBYTE));
    yarnWeighs.update();
    machine.file("cgroup/cpu/hadoop-yarn/c_1/cpu.shares", "3072\n"); // written by YARN's promotion
    change(yarnWeighs, production("c_1", MEBIBYTE));
    assertThat(shares("c_1")).isEqualTo("3072");

    AdoptedContainers nobodyWeighs = adopted(false);
    nobodyWeighs.update();
    assertThat(shares("c_1")).isEqualTo("2");
    change(nobodyWeighs, production("c_1", MEBIBYTE));
    assertThat(shares("c_1")).isEqualTo("1024");
  }

  @Test
  void onePromotedBeforeItsCgroupIsFoundGetsItsScoreAfterwards() throws IOException {
    AdoptedContainers adopted = v1(true);
    yarns("c_1", 11, production("c_1", MEBIBYTE));
    machine
        .file("cgroup/memory/hadoop-yarn/c_1/cgroup.procs", "11\n")
        .file("proc/11/oom_score_adj", "1000\n");
    assertThat(adopted.parts())
        .anySatisfy(
            part -> assertThat(part.apply(production("c_1", MEBIBYTE))).contains(NOT_KNOWN_YET));

    adopted.update();
    change(adopted, production("c_1", MEBIBYTE));

    assertThat(machine.read("proc/11/oom_score_adj")).as("over the first byte").isEqualTo("0000");
  }

  @Test
  void aPromotionDoesNotWaitForACgroupThatNeverComes() throws IOException {
    AdoptedContainers adopted = v1(true);
    machine.file("proc/11/cgroup", "4:memory:/yarn\n1:cpu:/\n");
    start(11, production("c_1", MEBIBYTE));

    looks(adopted, 3);

    change(adopted, production("c_1", MEBIBYTE));
  }

  @Test
  void dockersComesLateAndGetsItsScoreByItsProcesses() throws IOException {
    machine = FakeMachine.v2(root);
    AdoptedContainers adopted = adopted(false);
    start(21, bestEffort("c_1", MEBIBYTE));
    machine.file("proc/21/cgroup", "0::/system.slice/nm.service\n"); // the docker client
    looks(adopted, 2);
    assertThat(adopted.memory()).isEmpty();
    assertThat(adopted.outside().places()).isEmpty();

    String scope = "system.slice/docker-" + HASH + ".scope";
    machine
        .file("cgroup/" + scope + "/cpu.weight", "100\n")
        .file("cgroup/" + scope + "/memory.current", "1\n")
        .file("cgroup/" + scope + "/cgroup.procs", "31\n")
        .file("proc/31/cgroup", "0::/" + scope + "\n")
        .file("proc/31/oom_score_adj", "0\n");
    processes.put("c_1", 31L);
    adopted.update();

    assertThat(adopted.memory()).containsEntry("c_1", root.resolve("cgroup/" + scope));
    assertThat(machine.read("cgroup/" + scope + "/cpu.weight")).isEqualTo("1");
    assertThat(machine.read("proc/31/oom_score_adj")).isEqualTo("1000");
    assertThat(failures.getCount()).isZero();
  }

  @Test
  @Tag("must-never")
  void oneThatNeverComesIsCountedAndNamedAndNothingIsTouched() throws IOException {
    AdoptedContainers adopted = v1(true);
    machine.file("cgroup/memory/yarn/memory.swappiness", "33\n");
    machine.file("proc/11/cgroup", "4:memory:/yarn\n1:cpu:/\n");
    start(11, bestEffort("c_1", MEBIBYTE));

    looks(adopted, 3);

    assertThat(adopted.outside().places())
        .containsEntry("c_1", root.resolve("cgroup/memory/yarn"))
        .hasSize(1);
    assertThat(adopted.outside().sentence().orElseThrow()).contains("cgroups.hierarchy");
    assertThat(machine.read("cgroup/memory/yarn/memory.swappiness")).isEqualTo("33");
    running.clear();
    adopted.update();
    looks(adopted, 1);
    nanos += Duration.ofSeconds(10).toNanos();
    adopted.update();
    assertThat(adopted.outside().places()).isEmpty();
  }

  @Test
  void whatMayNotBeWrittenStaysAndIsCounted() throws IOException {
    AdoptedContainers adopted = v1(true);
    yarns("c_1", 11, bestEffort("c_1", MEBIBYTE));
    Path refuses = root.resolve("cgroup/cpu/hadoop-yarn/c_1/cpu.shares");
    Files.delete(refuses);
    Files.createDirectory(refuses); // fails for root, too

    adopted.update();

    assertThat(adopted.warnings()).isEqualTo(1);
    assertThat(swappiness("c_1")).isEqualTo("60");
    assertThat(adopted.memory()).containsOnlyKeys("c_1");
  }

  @Test
  void oneThatIsLaunchedOnceMoreIsAdoptedOnceMore() throws IOException {
    AdoptedContainers adopted = v1(true);
    yarns("c_1", 11, bestEffort("c_1", MEBIBYTE));
    looks(adopted, 4);
    assertThat(adopted.starting(bestEffort("c_1", MEBIBYTE), true)).isEmpty();
    assertThat(adopted.memory()).isEmpty();
    machine.file("cgroup/cpu/hadoop-yarn/c_1/cpu.shares", "1024\n");

    adopted.update();

    assertThat(adopted.memory()).containsOnlyKeys("c_1");
    assertThat(shares("c_1")).isEqualTo("2");
  }

  @Test
  void oneThatYarnRemovesFirstIsForgotten() throws IOException {
    AdoptedContainers adopted = v1(true);
    yarns("c_1", 11, bestEffort("c_1", MEBIBYTE));
    adopted.update();
    for (String controller : List.of("cpu", "memory")) {
      Path cgroup = root.resolve("cgroup/" + controller + "/hadoop-yarn/c_1");
      for (String file : List.of("cpu.shares", "memory.swappiness", "memory.usage_in_bytes")) {
        Files.deleteIfExists(cgroup.resolve(file));
      }
      Files.delete(cgroup);
    }
    nanos += Duration.ofSeconds(10).toNanos();

    adopted.update();

    assertThat(adopted.memory()).isEmpty();
    assertThat(adopted.warnings()).isZero();
  }

  @Test
  @Tag("must-never")
  void whatTwoContainersAreInIsNeithers() throws IOException {
    machine = FakeMachine.v2(root);
    AdoptedContainers adopted = adopted(false);
    machine
        .file("cgroup/docker/" + HASH + "/cpu.weight", "100\n")
        .file("cgroup/docker/" + HASH + "/memory.current", "1\n")
        .file("cgroup/docker/" + HASH + "/cgroup.procs", "\n")
        .file("proc/11/cgroup", "0::/docker/" + HASH + "\n");
    start(11, production("c_1", MEBIBYTE));
    adopted.update();
    start(11, bestEffort("c_2", MEBIBYTE));

    looks(adopted, 3);

    assertThat(adopted.memory()).containsOnlyKeys("c_1");
    assertThat(machine.read("cgroup/docker/" + HASH + "/cpu.weight")).isEqualTo("100");
    assertThat(adopted.outside().places()).containsOnlyKeys("c_2");
  }

  @Test
  @Tag("must-never")
  void anUntouchedContainerIsMeasuredAndNotChanged() throws IOException {
    AdoptedContainers adopted = v1(true);
    untouched.add("c_1");
    yarns("c_1", 11, bestEffort("c_1", MEBIBYTE));

    adopted.update();

    assertThat(adopted.memory()).containsOnlyKeys("c_1");
    assertThat(shares("c_1")).isEqualTo("2048");
    assertThat(told).isEmpty();
  }

  private static void change(AdoptedContainers adopted, ContainerInfo container) {
    assertThat(adopted.parts()).allSatisfy(part -> assertThat(part.apply(container)).isEmpty());
  }

  private AdoptedContainers v1(boolean yarnWeighs) throws IOException {
    machine = FakeMachine.v1(root);
    return adopted(yarnWeighs);
  }

  private AdoptedContainers adopted(boolean yarnWeighs) throws IOException {
    Path proc = root.resolve("proc");
    ForeignCgroups foreign = new ForeignCgroups(machine.detect("/hadoop-yarn"));
    return new AdoptedContainers(
        foreign,
        yarnWeighs,
        true,
        new AdoptedContainers.Known(
            () -> running,
            () -> processes,
            untouched::contains,
            info -> told.add(info.containerId())),
        new OomScores(proc, new ProcessSettings(-998, -999, true)),
        IdleDisk.notWanted(proc),
        failures,
        () -> nanos);
  }

  /** Creates a container as YARN's CPU and memory handlers do, before Charon has seen it. */
  private void yarns(String id, long process, ContainerInfo info) {
    machine
        .file("cgroup/cpu/hadoop-yarn/" + id + "/cpu.shares", "2048\n")
        .file("cgroup/memory/hadoop-yarn/" + id + "/memory.swappiness", "100\n")
        .file("cgroup/memory/hadoop-yarn/" + id + "/memory.usage_in_bytes", "1\n")
        .file(
            "proc/" + process + "/cgroup",
            "4:memory:/hadoop-yarn/%s\n3:cpuset:/\n1:cpu:/hadoop-yarn/%s\n".formatted(id, id));
    start(process, info);
  }

  private void start(long process, ContainerInfo info) {
    running.add(info);
    processes.put(info.containerId(), process);
  }

  private static void looks(AdoptedContainers adopted, int times) {
    for (int look = 0; look < times; look++) {
      adopted.update();
    }
  }

  private String shares(String id) throws IOException {
    return machine.read("cgroup/cpu/hadoop-yarn/" + id + "/cpu.shares");
  }

  private String swappiness(String id) throws IOException {
    return machine.read("cgroup/memory/hadoop-yarn/" + id + "/memory.swappiness");
  }
}
