/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import io.charon.nodemanager.report.status.RegulatorDocument;
import io.charon.nodemanager.report.status.StatusDocument;
import io.charon.nodemanager.sensor.SysTree;
import io.charon.web.http.WebAccess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the agent with cgroups that work, vanish, cannot be created, or cannot be removed. */
@Tag("hadoop")
@Tag("long")
class CharonNodeCgroupTest {
  private static final String CPU_MAX = "cgroup/charon/best-effort/cpu.max";
  private final FakeYarn yarn = new FakeYarn();
  private static final long MIB = 1 << 20;

  /** An id above those that Linux gives. */
  private static final String NO_PROCESS = "4200000\n";

  @TempDir Path root;
  private FakeMachine machine;
  private CharonNode node;

  @BeforeEach
  void open() throws IOException {
    machine = FakeMachine.v2(root).nodeCgroups();
    machine.detect("/charon"); // writes the files of proc
    node =
        new CharonNode(
            TestSettings.of(
                "memory-limit.mode", "off"), // would read at once, before any file exists
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
  }

  @Test
  void aContainerEntersACgroupOfItsOwnThatGoesWhenItStops() {
    assertThat(
            node.lifecycle()
                .starting(ContainerInfos.bestEffort("container_1", MIB))
                .orElseThrow()
                .cgroupProcs())
        .containsExactly(machine.path("cgroup/charon/best-effort/container_1/cgroup.procs"));
    assertThat(
            node.lifecycle()
                .starting(ContainerInfos.production("container_2", MIB))
                .orElseThrow()
                .cgroupProcs())
        .containsExactly(machine.path("cgroup/charon/production/container_2/cgroup.procs"));

    node.lifecycle().stopped("container_1");

    assertThat(machine.path("cgroup/charon/best-effort/container_1")).doesNotExist();
    assertThat(machine.path("cgroup/charon/production/container_2")).exists();
    assertThat(node.lifecycle().killReason("container_1")).isEmpty();
    assertThat(failures()).isZero();
  }

  @Test
  void whereACgroupCannotBeMadeTheContainerRunsWithoutAndEachIsCounted() throws IOException {
    Files.delete(machine.path("cgroup/charon/best-effort/cgroup.subtree_control"));
    Files.delete(machine.path("cgroup/charon/best-effort/cpu.weight"));
    Files.delete(machine.path("cgroup/charon/best-effort"));
    machine.file("cgroup/charon/best-effort", "in the way");

    for (String id : List.of("container_1", "container_2")) {
      LaunchPrefix prefix =
          node.lifecycle().starting(ContainerInfos.bestEffort(id, MIB)).orElseThrow();
      assertThat(prefix.oomScoreAdj()).isEqualTo(1000);
      assertThat(prefix.cgroupProcs()).isEmpty();
      node.lifecycle().stopped(id);
    }

    assertThat(failures()).isEqualTo(2);
    assertThat(node.status().launches().counters()).containsEntry("launched", 2L);
  }

  @Test
  void aCgroupThatVanishesWhileTheContainerRunsIsNoMatter() throws IOException {
    node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB));
    Files.delete(machine.path("cgroup/charon/best-effort/container_1"));

    node.lifecycle().stopped("container_1");

    assertThat(failures()).isZero();
  }

  @Test
  void aKillByTheKernelIsAttributedAndACgroupThatStaysIsCounted() {
    node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB));
    machine.file("cgroup/charon/best-effort/container_1/memory.events", "oom 0\noom_kill 1\n");

    node.lifecycle().stopped("container_1"); // a directory with a file in it cannot be removed

    assertThat(node.lifecycle().killReason("container_1"))
        .hasValueSatisfying(reason -> assertThat(reason).contains("kernel's OOM killer"));
    assertThat(node.status().launches().launchesDelayedSeconds()).isPositive();
    assertThat(failures()).isEqualTo(1);
  }

  /** The kernel is told so; before Linux 4.19 and on version 1 it kills one process. */
  @Test
  void whatTheKernelsOomKillerLeftOfATaskIsEndedUnlessItWasPromoted() throws Exception {
    node =
        new CharonNode(
            TestSettings.of("node.tick-ms", "100", "killer.kernel.enabled", "false"),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
    BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    yarn.killer(ended::add);
    for (String id : List.of("container_1", "container_2")) {
      machine
          .file("cgroup/charon/best-effort/" + id + "/memory.oom.group", "0\n")
          .file("cgroup/charon/best-effort/" + id + "/memory.events", "oom 0\noom_kill 0\n")
          .file("cgroup/charon/best-effort/" + id + "/cgroup.procs", NO_PROCESS);
      node.lifecycle().starting(ContainerInfos.bestEffort(id, MIB));
      assertThat(machine.read("cgroup/charon/best-effort/" + id + "/memory.oom.group"))
          .isEqualTo("1");
    }
    machine.file("cgroup/charon/best-effort/container_1/memory.events", "oom 0\noom_kill 1\n");
    node.lifecycle().changed(ContainerInfos.production("container_1", MIB));
    assertThat(machine.read("cgroup/charon/best-effort/container_1/memory.oom.group"))
        .isEqualTo("0");
    node.start();
    try {
      machine.file("cgroup/charon/best-effort/container_2/memory.events", "oom 0\noom_kill 1\n");

      assertThat(ended.poll(20, TimeUnit.SECONDS)).isEqualTo("container_2");
      assertThat(node.lifecycle().killReason("container_2")).isPresent();
      assertThat(node.lifecycle().killReason("container_1")).isEmpty();
    } finally {
      node.close();
    }
    assertThat(ended).isEmpty();
  }

  @Test
  void aKillByTheKernelWhileNoNodeManagerRanIsAttributedAfterwards() {
    machine
        .file("cgroup/charon/best-effort/container_1/memory.events", "oom 0\noom_kill 1\n")
        .file("cgroup/charon/best-effort/container_2/memory.events", "oom 0\noom_kill 0\n")
        .file("cgroup/charon/best-effort/container_3/memory.events", "oom 0\noom_kill 1\n")
        .file("cgroup/charon/best-effort/container_3/cgroup.procs", "73\n");

    node =
        new CharonNode(TestSettings.of(), Surroundings.ofThisMachine(root.resolve("proc")), yarn);
    for (String id : List.of("container_1", "container_2", "container_3")) {
      node.lifecycle().reacquired(ContainerInfos.bestEffort(id, MIB));
    }

    assertThat(node.lifecycle().killReason("container_1"))
        .hasValueSatisfying(reason -> assertThat(reason).contains("kernel's OOM killer"));
    assertThat(node.lifecycle().killReason("container_2")).isEmpty();
    assertThat(node.lifecycle().killReason("container_3")).as("it runs on").isEmpty();
  }

  @Test
  void aCgroupThatCannotBeRemovedYetGoesWithALaterTick() throws Exception {
    yarn.killer(containerId -> {});
    node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB));
    node.lifecycle().starting(ContainerInfos.bestEffort("container_2", MIB));
    Path inUse = machine.path("cgroup/charon/best-effort/container_1/in-use");
    machine
        .file("cgroup/charon/best-effort/container_1/in-use", "")
        .file("cgroup/charon/best-effort/container_2/in-use", "");
    node.lifecycle().stopped("container_1");
    node.lifecycle().stopped("container_2");
    node.lifecycle()
        .starting(ContainerInfos.bestEffort("container_2", MIB)); // relaunched under the same id
    assertThat(inUse).exists();

    Files.delete(inUse);
    Files.delete(machine.path("cgroup/charon/best-effort/container_2/in-use"));
    node.start();
    try {
      await(() -> Files.notExists(machine.path("cgroup/charon/best-effort/container_1")));
      // Waits for a whole further tick; before that, container_2 may simply not have been tried
      // yet.
      Path later = machine.path("cgroup/charon/best-effort/container_3");
      node.lifecycle().starting(ContainerInfos.bestEffort("container_3", MIB));
      machine.file("cgroup/charon/best-effort/container_3/in-use", "");
      node.lifecycle().stopped("container_3");
      Files.delete(later.resolve("in-use"));
      await(() -> Files.notExists(later));
      assertThat(machine.path("cgroup/charon/best-effort/container_2")).exists();
    } finally {
      node.close();
    }
  }

  @Test
  void aContainerOutsideOfItsCgroupIsCountedNamedAndMeasuredByItsProcesses() throws Exception {
    node =
        new CharonNode(
            TestSettings.of("node.tick-ms", "100"),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
    yarn.rootProcesses(() -> Map.of("container_1", 71L, "container_2", 72L));
    for (int container = 1; container <= 2; container++) {
      node.lifecycle().starting(ContainerInfos.bestEffort("container_" + container, MIB));
      machine
          .file(
              "cgroup/charon/best-effort/container_" + container + "/memory.stat",
              "inactive_anon 4096\nactive_anon 0\nunevictable 0\n")
          .file("proc/7" + container + "/status", "Name:\tjava\nPPid:\t1\nRssAnon:\t    2048 kB\n");
    }
    machine
        .file("proc/71/cgroup", "0::/system.slice/nm.service\n")
        .file("proc/72/cgroup", "0::/charon/best-effort/container_2\n");
    yarn.killer(containerId -> {});
    node.start();
    try {
      await(() -> node.status().containment().outsideCgroups() != null);
      assertThat(node.status().containment().outsideCgroups().named())
          .extracting(StatusDocument.OutsideCgroup::containerId)
          .containsExactly("container_1");
      ByteArrayOutputStream metrics = new ByteArrayOutputStream();
      node.metricsText().write(metrics);
      assertThat(metrics.toString(StandardCharsets.UTF_8))
          .contains("\ncharon_containers_outside_cgroup 1");
      await(() -> workingSet("container_1") == 2 * MIB);
      assertThat(workingSet("container_2")).isEqualTo(4096);

      machine.file("proc/71/cgroup", "0::/charon/best-effort/container_1\n");
      await(() -> node.status().containment().outsideCgroups() == null);
      await(() -> workingSet("container_1") == 4096);
    } finally {
      node.close();
    }
  }

  private long workingSet(String containerId) {
    return node.status().launches().running().stream()
        .filter(running -> running.containerId().equals(containerId))
        .findFirst()
        .orElseThrow()
        .memory()
        .workingSetBytes();
  }

  @Test
  void leftoversOfDeadContainersGoAtTheNextStart() {
    node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB));

    node =
        new CharonNode(TestSettings.of(), Surroundings.ofThisMachine(root.resolve("proc")), yarn);

    assertThat(machine.path("cgroup/charon/best-effort/container_1")).doesNotExist();
  }

  @Test
  void anApplicationMastersRequestIsKeptFromReclaimWithTheParents() throws IOException {
    for (String cgroup :
        List.of("", "/production", "/production/container_1", "/production/container_2")) {
      machine.file("cgroup/charon" + cgroup + "/memory.min", "0\n");
    }

    node.lifecycle().starting(ContainerInfos.master("container_1", 300 * MIB));
    node.lifecycle().starting(ContainerInfos.production("container_2", 500 * MIB));

    String request = Long.toString(300 * MIB);
    assertThat(machine.read("cgroup/charon/production/container_1/memory.min")).isEqualTo(request);
    assertThat(machine.read("cgroup/charon/production/container_2/memory.min")).isEqualTo("0");
    assertThat(machine.read("cgroup/charon/production/memory.min")).isEqualTo(request);
    assertThat(machine.read("cgroup/charon/memory.min")).isEqualTo(request);
  }

  @Test
  void aBestEffortApplicationsMasterWeighsATenthAndStaysProtected() {
    for (String container : List.of("container_1", "container_2")) {
      machine.file("cgroup/charon/production/" + container + "/cpu.weight", "100\n");
    }
    applications(Set.of("BestEffort"));

    LaunchPrefix master =
        node.lifecycle().starting(ContainerInfos.master("container_1", MIB)).orElseThrow();
    LaunchPrefix production =
        node.lifecycle().starting(ContainerInfos.production("container_2", MIB)).orElseThrow();

    await(
        () -> {
          node.lifecycle()
              .changed(
                  ContainerInfos.master(
                      "container_1", MIB)); // applies the weights again, as each tick does
          return weight("container_1").equals("10");
        });
    assertThat(weight("container_2")).isEqualTo("100");
    assertThat(master.oomScoreAdj()).isEqualTo(production.oomScoreAdj());
    assertThat(node.status().launches().running())
        .extracting(StatusDocument.Running::bestEffortMasterPercent)
        .containsExactlyInAnyOrder(10, null);
  }

  @Test
  void whatWasTakenFromAMasterIsGivenBackWhereCharonOnlyObserves() {
    machine.file("cgroup/charon/production/container_1/cpu.weight", "100\n");
    applications(Set.of("BestEffort"));
    node.lifecycle().starting(ContainerInfos.master("container_1", MIB));
    await(
        () -> {
          node.lifecycle().changed(ContainerInfos.master("container_1", MIB));
          return weight("container_1").equals("10");
        });

    node.change(TestSettings.of("mode", "observe"));

    assertThat(weight("container_1")).isEqualTo("100");
  }

  @Test
  void aProductionApplicationsMasterKeepsItsWeight() {
    machine.file("cgroup/charon/production/container_1/cpu.weight", "100\n");
    List<String> asked = applications(Set.of("nightly"));

    node.lifecycle().starting(ContainerInfos.master("container_1", MIB));
    await(() -> !asked.isEmpty());
    node.lifecycle().changed(ContainerInfos.master("container_1", MIB));

    assertThat(weight("container_1")).isEqualTo("100");
    assertThat(asked).containsExactly("application_1_0001");
  }

  @Test
  void inObserveNoResourceManagerIsQueriedAndNothingIsLowered() {
    yarn.applications(
        () -> {
          throw new AssertionError("nobody has a question");
        });
    node =
        new CharonNode(
            TestSettings.of(
                "mode", "observe", "scheduler.profile.application-names.enabled", "false"),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
    machine.file("cgroup/charon/production/container_1/cpu.weight", "100\n");

    node.expectMaster("application_1_0001");
    node.lifecycle().starting(ContainerInfos.master("container_1", MIB));

    assertThat(weight("container_1")).isEqualTo("100");
  }

  private String weight(String production) {
    try {
      return machine.read("cgroup/charon/production/" + production + "/cpu.weight");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every application carries these tags. */
  private List<String> applications(Set<String> tags) {
    List<String> asked = new CopyOnWriteArrayList<>();
    yarn.applications(
        () ->
            FakeYarn.directory(
                applicationId -> {
                  asked.add(applicationId);
                  return Optional.of(new ApplicationDirectory.Entry("root.default", "sort", tags));
                }));
    node =
        new CharonNode(TestSettings.of(), Surroundings.ofThisMachine(root.resolve("proc")), yarn);
    return asked;
  }

  @Test
  void anApplicationMasterRunsOnWhereItCannotBeKeptFromReclaim() {
    assertThat(
            node.lifecycle()
                .starting(ContainerInfos.master("container_1", MIB))
                .orElseThrow()
                .cgroupProcs())
        .containsExactly(machine.path("cgroup/charon/production/container_1/cgroup.procs"));
  }

  @Test
  void theCpuQuotaFollowsTheForegroundAndGoesWithTheAgent() throws IOException {
    idleProduction("20000"); // left by an agent that was killed
    node =
        new CharonNode(
            TestSettings.of(
                "node.tick-ms", "100",
                "regulator.cpu.mode", "enforce",
                "regulator.cpu.window-ms", "1000",
                "regulator.cpu.minimum-cores", "0.5",
                "regulator.cpu.maximum-cores", "0.5"),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
    List<String> quotas = new CopyOnWriteArrayList<>();
    node.signals().onTick(() -> quotas.add(cpu().result()));
    yarn.killer(id -> {});
    node.start();
    try {
      assertThat(machine.read(CPU_MAX)).as("swept, or set anew").isNotEqualTo("20000 100000");
      await(() -> "applied: cpu.max=50000 100000".equals(cpu().result()));
      assertThat(quotas).contains("applied: cpu.max=1000 100000");
      assertThat(machine.read(CPU_MAX)).isEqualTo("50000 100000");
      assertThat(cpu().signal().signal()).isEqualTo("pressure");
      assertThat(cpu().limit().capacity()).isEqualTo(2.0);
      assertThat(failures()).isZero();
    } finally {
      node.close();
    }
    assertThat(machine.read(CPU_MAX)).isEqualTo("max 100000");
  }

  /** Simulates an idle production class on a machine with two processors. */
  private void idleProduction(String quota) {
    machine
        .file(CPU_MAX, quota + " 100000\n")
        .file("cgroup/charon/best-effort/cpu.stat", "usage_usec 5\nthrottled_usec 0\n")
        .file("cgroup/charon/production/cpu.pressure", "some avg10=0.00 total=7\n")
        .file("proc/pressure/cpu", "some\n")
        .file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n")
        .file("proc/stat", "cpu 1 1 1 1 1 1 1\ncpu0 1\ncpu1 1\n");
  }

  /** The foreground is idle: the signal's law allows two cores, the water line 65 % of them. */
  @Test
  void theStricterOfWaterLineAndSignalIsTheQuota() throws IOException {
    idleProduction("max");
    node =
        new CharonNode(
            TestSettings.of(
                "node.tick-ms", "100",
                "regulator.cpu.mode", "enforce",
                "regulator.cpu.window-ms", "1000",
                "regulator.cpu.minimum-cores", "1.1",
                "regulator.cpu.start-cores", "2",
                "regulator.cpu.water-line-percent", "65"),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
    yarn.killer(id -> {});
    node.start();
    try {
      await(() -> "applied: cpu.max=130000 100000".equals(waterLine().result()));
      assertThat(machine.read(CPU_MAX)).isEqualTo("130000 100000");
      assertThat(waterLine().limit().limit()).isEqualTo(1.3);
      assertThat(waterLine().limit().capacity()).isEqualTo(2.0);
      assertThat(waterLine().signal().signal()).isEqualTo("load");
      assertThat(cpu().limit().limit()).isEqualTo(2.0);
      assertThat(cpu().result()).isEqualTo("not applied: cpu-water-line sets a lower limit");
      assertThat(failures()).isZero();
    } finally {
      node.close();
    }
    assertThat(machine.read(CPU_MAX)).isEqualTo("max 100000");
  }

  @Test
  void withoutASignalTheWaterLineAloneSetsTheQuota() {
    idleProduction("max");
    node =
        new CharonNode(
            TestSettings.of(
                "node.tick-ms", "100",
                "regulator.cpu.mode", "enforce",
                "regulator.cpu.signal", "none",
                "regulator.cpu.window-ms", "1000",
                "regulator.cpu.minimum-cores", "0.5",
                "regulator.cpu.water-line-percent", "25"),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
    yarn.killer(id -> {});
    node.start();
    try {
      await(() -> "applied: cpu.max=50000 100000".equals(waterLine().result()));
      assertThat(cpu().mode()).isEqualTo("off");
    } finally {
      node.close();
    }
  }

  private RegulatorDocument regulator(String name) {
    return node.status().mechanisms().regulators().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private RegulatorDocument waterLine() {
    return regulator("cpu-water-line");
  }

  @Test
  void withoutAWaterLineTheStatusKnowsNone() {
    assertThat(node.status().mechanisms().regulators())
        .extracting(RegulatorDocument::name)
        .doesNotContain("cpu-water-line");
  }

  @Test
  void frozenContainersAreThawedAtTheEndOfTheAgent() throws Exception {
    String file = "cgroup/charon/best-effort/container_1/cgroup.freeze";
    machine
        .file("cgroup/charon/best-effort/cgroup.freeze", "0\n")
        .file("proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 500000 kB\n");
    node =
        new CharonNode(
            TestSettings.of(
                "node.tick-ms", "100",
                "killer.kernel.enabled", "false",
                "freeze.mode", "enforce"),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
    yarn.phases(id -> Phase.RUNNING);
    node.start();
    ContainerInfo task = ContainerInfos.bestEffort("container_1", MIB);
    await(() -> node.status().launches().snapshotBytes() > 0);
    assertThat(node.status().launches().snapshotBytes())
        .as("30 of 50 percent")
        .isBetween(1L, 300_000L * 1024);
    node.lifecycle().starting(task);
    machine.file(file, "0\n");
    node.gate().orElseThrow().adopt(task.launchRequest());

    machine.file("proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 120000 kB\n");
    await(() -> node.status().mechanisms().freeze().frozen().size() == 1);
    assertThat(machine.read(file)).isEqualTo("1");
    assertThat(node.status().mechanisms().freeze().mode()).isEqualTo("enforce");
    node.close();

    assertThat(machine.read(file)).isEqualTo("0");
  }

  @Test
  void bestEffortLeavesPinnedCoresAndGetsThemBackWithTheEndOfTheAgent() throws IOException {
    String bestEffort = "cgroup/charon/best-effort/cpuset.cpus";
    machine
        .file("cgroup/charon/production/cpuset.cpus", "\n")
        .file(bestEffort, "2\n") // left by an agent that was killed
        .file("cgroup/charon/cpuset.cpus.effective", "0-2\n")
        .file("cgroup/charon/best-effort/cpu.stat", "usage_usec 5\nthrottled_usec 0\n")
        .file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n")
        .file("proc/stat", "cpu 1 1 1 1 1 1 1\ncpu0 1\ncpu1 1\ncpu2 1\n");
    node =
        new CharonNode(
            TestSettings.of("node.tick-ms", "100", "regulator.cores.mode", "enforce"),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
    assertThat(machine.read(bestEffort)).as("swept").isEmpty();
    machine
        .file("cgroup/charon/production/c_1/cpuset.cpus.effective", "0\n")
        .file(
            "cgroup/charon/production/c_1/memory.stat",
            "inactive_anon 0\nactive_anon 0\nunevictable 0\n");
    yarn.killer(id -> {});
    node.start();
    try {
      await(() -> "applied: cpuset.cpus=1-2".equals(cores().result()));
      assertThat(machine.read(bestEffort)).isEqualTo("1-2");
      assertThat(cores().limit().cores()).isEqualTo("1-2");
      assertThat(cores().signal().signal()).isEqualTo("pinned cores");
      assertThat(cores().signal().value()).isEqualTo(1.0);
      assertThat(node.status().mechanisms().resources().cores().pinned()).isEqualTo("0");
      assertThat(failures()).isZero();
    } finally {
      node.close();
    }
    assertThat(machine.read(bestEffort)).isEmpty();
  }

  /** Processors 0 and 2 are one physical core, 1 and 3 the other; production is pinned to 3. */
  @Test
  void bestEffortKeepsOffTheSiblingOfAPinnedProcessor() throws IOException {
    String bestEffort = "cgroup/charon/best-effort/cpuset.cpus";
    SysTree sys =
        new SysTree(root.resolve("sys"))
            .online("0-3")
            .core("0,2", 0, 0, "0-3")
            .core("1,3", 0, 0, "0-3");
    machine
        .file("cgroup/charon/production/cpuset.cpus", "\n")
        .file(bestEffort, "\n")
        .file("cgroup/charon/cpuset.cpus.effective", "0-3\n")
        .file("cgroup/charon/best-effort/cpu.stat", "usage_usec 5\nthrottled_usec 0\n")
        .file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n")
        .file("proc/stat", "cpu 1 1 1 1 1 1 1\ncpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\n")
        .file("cgroup/charon/production/c_1/cpuset.cpus.effective", "3\n");
    node =
        new CharonNode(
            TestSettings.of(
                "node.tick-ms", "100",
                "regulator.cores.mode", "enforce",
                "regulator.cores.follow-load.enabled", "true",
                "regulator.cores.window-ms", "1000"),
            new Surroundings(
                root.resolve("proc"),
                sys.root(),
                Clock.systemUTC(),
                System::nanoTime,
                WebAccess.unconfigured()),
            yarn);
    yarn.killer(id -> {});
    node.start();
    try {
      // The room is 3 cores minus the headroom of 0.5; 0.5 of it is kept back, so one physical core
      // is left.
      await(() -> "applied: cpuset.cpus=0,2".equals(cores().result()));
      assertThat(machine.read(bestEffort)).isEqualTo("0,2");
      assertThat(cores().limit().limit()).isEqualTo(2);
    } finally {
      node.close();
    }
  }

  private RegulatorDocument cpu() {
    return regulator("cpu");
  }

  private RegulatorDocument cores() {
    return regulator("cores");
  }

  private long failures() {
    return node.status().launches().counters().get("toleratedFailures");
  }
}
