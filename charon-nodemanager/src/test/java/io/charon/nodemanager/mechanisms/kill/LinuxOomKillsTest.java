/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.Owner;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests on directories that simulate the cgroups of both versions. */
@Tag("hadoop")
class LinuxOomKillsTest {
  private static final ContainerInfo TASK = ContainerInfos.bestEffort("container_1", 100);
  private static final ContainerInfo PROMOTED = ContainerInfos.production("container_1", 100);
  private static final ContainerClass BEST_EFFORT = ContainerClass.BEST_EFFORT;

  @TempDir private Path root;
  private final ContainerLedger ledger = new ContainerLedger();
  private final LaunchGate gate = mock(LaunchGate.class);
  private final NodeMetrics metrics = new NodeMetrics();
  private final List<String> ended = new ArrayList<>();
  private long nanos;
  private RegulatorMode mode = RegulatorMode.ENFORCE;
  private Optional<IOException> refusal = Optional.empty();
  private CgroupVersion version;
  private FakeMachine machine;
  private ContainerCgroups cgroups;
  private KillBookkeeper kills;
  private LinuxOomKills oomKills;

  private void open(CgroupVersion of) throws IOException {
    version = of;
    machine = of == CgroupVersion.V1 ? FakeMachine.v1(root) : FakeMachine.v2(root).nodeCgroups();
    machine.detect("/charon"); // writes the files of proc
    cgroups =
        ContainerCgroups.open(
            TestSettings.of().placement(), root.resolve("proc"), new Counter(), System::nanoTime);
    DyingContainers dying = new DyingContainers(() -> nanos, () -> {});
    Audit audit =
        Audit.direct(
            Optional.of(new AuditLog(root.resolve("audit"), 1 << 20)),
            Clock.systemUTC(),
            metrics.toleratedFailures());
    kills = new KillBookkeeper(ledger, gate, dying, metrics, audit, Clock.systemUTC(), () -> nanos);
    ActionExecutor executor =
        new ActionExecutor(
            dying,
            kills,
            ContainerControl.of(Optional.empty(), this::end),
            audit,
            metrics.toleratedFailures(),
            () -> nanos);
    oomKills = new LinuxOomKills(cgroups, ledger, executor, kills, () -> mode);
  }

  private void end(String containerId) throws IOException {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    ended.add(containerId);
  }

  /** Simulates a container that has just started, with a process in its memory cgroup. */
  private void start(ContainerInfo container) {
    ledger.started(container);
    counts(container.containerClass(), 0, 0);
    file(container.containerClass(), "cgroup.procs", "71\n");
    oomKills.starting(container);
  }

  private void change(ContainerInfo container) {
    assertThat(ledger.changed(container)).isTrue();
    oomKills.changed(container);
  }

  /** Simulates what the kernel has counted in the container's cgroup so far. */
  private void counts(ContainerClass side, long killed, long ownLimit) {
    if (version == CgroupVersion.V1) {
      file(side, "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill " + killed);
      file(side, "memory.failcnt", ownLimit + "\n");
    } else {
      file(
          side,
          "memory.events",
          "high 0\nmax 9\noom %d\noom_kill %d\noom_group_kill 0\n".formatted(ownLimit, killed));
    }
  }

  private void file(ContainerClass side, String name, String content) {
    machine.file(cgroup(side) + "/" + name, content);
  }

  private String cgroup(ContainerClass side) {
    String mount = version == CgroupVersion.V1 ? "cgroup/memory" : "cgroup";
    return mount + "/charon/" + side.directoryName() + "/container_1";
  }

  private List<String> audit() throws IOException {
    Path file = root.resolve("audit/audit.jsonl");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private String reason() {
    return ledger.find("container_1").flatMap(ContainerLedger.Entry::killReason).orElse("");
  }

  @ParameterizedTest
  @EnumSource
  void whatLinuxLeftOfAContainerIsEndedOnceAndExplained(CgroupVersion of) throws IOException {
    open(of);
    start(TASK);
    oomKills.tick();
    assertThat(ended).isEmpty();

    counts(BEST_EFFORT, 1, 0);
    oomKills.tick();
    nanos += DyingContainers.GRACE.toNanos(); // it takes long to end
    oomKills.tick();
    oomKills.stopped("container_1");

    assertThat(ended).containsExactly("container_1");
    assertThat(reason()).startsWith(KillBookkeeper.BY_LINUX);
    assertThat(ledger.find("container_1").orElseThrow().killedForMemory()).isTrue();
    verify(gate).killedForMemory();
    assertThat(kills.log().recent())
        .extracting(KillLog.Kill::by)
        .containsExactly(KillLog.Killer.LINUX_OOM);
    assertThat(audit())
        .singleElement()
        .asString()
        .contains("\"regulator\":\"linux-oom\"", "\"oomKills\":1.0", "applied: killed");
  }

  @ParameterizedTest
  @EnumSource
  void anotherKillOfTheSameContainerLaterIsNoticedToo(CgroupVersion of) throws IOException {
    open(of);
    mode = RegulatorMode.OBSERVE;
    start(TASK);
    counts(BEST_EFFORT, 1, 0);
    oomKills.tick();
    mode = RegulatorMode.ENFORCE;
    oomKills.tick();
    assertThat(ended).as("that was not to be acted upon").isEmpty();

    counts(BEST_EFFORT, 2, 0);
    oomKills.tick();
    assertThat(ended).containsExactly("container_1");
  }

  @ParameterizedTest
  @EnumSource
  void aContainerAtItsOwnLimitIsNobodysVictim(CgroupVersion of) throws IOException {
    open(of);
    start(TASK);
    counts(BEST_EFFORT, 1, 1);
    oomKills.tick();
    assertThat(ended).isEmpty();

    counts(BEST_EFFORT, 2, 1);
    oomKills.tick();
    assertThat(ended).as("this time it was another limit").containsExactly("container_1");
  }

  @ParameterizedTest
  @EnumSource
  void oneThatFailsAtItsOwnLimitFailsByItself(CgroupVersion of) throws IOException {
    open(of);
    start(TASK);
    counts(BEST_EFFORT, 1, 1);
    oomKills.stopped("container_1");

    assertThat(reason()).isEmpty();
    assertThat(audit()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("must-never")
  void productionIsNeverEndedNorWhatWasProductionWhenLinuxKilled(CgroupVersion of)
      throws IOException {
    open(of);
    start(PROMOTED);
    counts(ContainerClass.PRODUCTION, 1, 0);
    oomKills.tick();
    change(TASK);
    oomKills.tick();
    assertThat(ended).isEmpty();

    counts(BEST_EFFORT, 1, 0);
    change(PROMOTED);
    oomKills.tick();
    assertThat(ended).isEmpty();
    oomKills.stopped("container_1");
    assertThat(reason()).startsWith(KillBookkeeper.BY_LINUX);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("must-never")
  void anApplicationMasterIsNotEnded(CgroupVersion of) throws IOException {
    open(of);
    start(
        new ContainerInfo(
            "container_1",
            new Owner("alice", "application_1_0001"),
            ExecutionType.OPPORTUNISTIC,
            true,
            new JobKey("job"),
            100,
            1));
    counts(BEST_EFFORT, 1, 0);
    oomKills.tick();
    assertThat(ended).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("must-never")
  void inObserveTheAuditSaysOnceWhatWouldBeEnded(CgroupVersion of) throws IOException {
    open(of);
    mode = RegulatorMode.OFF;
    start(TASK);
    counts(BEST_EFFORT, 1, 0);
    oomKills.tick();
    assertThat(audit()).isEmpty();

    mode = RegulatorMode.OBSERVE;
    oomKills.tick();
    oomKills.tick();
    assertThat(ended).isEmpty();
    assertThat(reason()).isEmpty();
    assertThat(audit())
        .singleElement()
        .asString()
        .contains("\"mode\":\"observe\"", "\"target\":\"container_1\"", "not applied: observe");
  }

  @ParameterizedTest
  @EnumSource
  void oneOfWhichNothingIsLeftEndsByItselfAndIsExplained(CgroupVersion of) throws IOException {
    open(of);
    start(TASK);
    counts(BEST_EFFORT, 3, 0);
    file(BEST_EFFORT, "cgroup.procs", "\n");
    oomKills.tick();
    assertThat(ended).isEmpty();
    oomKills.stopped("container_1");
    assertThat(reason()).startsWith(KillBookkeeper.BY_LINUX);
  }

  @ParameterizedTest
  @EnumSource
  void whatHappenedToAnEarlierLaunchInTheSameCgroupDoesNotCount(CgroupVersion of)
      throws IOException {
    open(of);
    counts(BEST_EFFORT, 2, 0);
    file(BEST_EFFORT, "cgroup.procs", "71\n");
    ledger.started(TASK);
    oomKills.starting(TASK);
    oomKills.tick();
    oomKills.stopped("container_1");
    assertThat(ended).isEmpty();
    assertThat(reason()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsLeftSinceNoNodeManagerRanIsEndedAndAFailureIsRepeated(CgroupVersion of)
      throws IOException {
    open(of);
    counts(BEST_EFFORT, 1, 0);
    file(BEST_EFFORT, "cgroup.procs", "71\n");
    ledger.started(TASK);
    oomKills.reacquired(TASK, true);
    refusal = Optional.of(new IOException("it is being recovered"));
    oomKills.tick();
    assertThat(reason()).as("it was not killed").isEmpty();
    refusal = Optional.empty();
    oomKills.tick();
    assertThat(ended).as("it counts as dying").isEmpty();
    nanos += DyingContainers.GRACE.toNanos();
    oomKills.tick();
    assertThat(ended).containsExactly("container_1");
  }

  @Test
  void theKernelEndsBestEffortAsAWholeAndProductionNot() throws IOException {
    open(CgroupVersion.V2);
    String file = CgroupFile.OOM_GROUP.path(Path.of(""), CgroupVersion.V2).toString();
    file(BEST_EFFORT, file, "0\n");
    file(ContainerClass.PRODUCTION, file, "0\n");
    mode = RegulatorMode.OBSERVE;
    start(TASK);
    assertThat(machine.read(cgroup(BEST_EFFORT) + "/" + file)).isEqualTo("0");
    mode = RegulatorMode.ENFORCE;
    start(TASK);
    assertThat(machine.read(cgroup(BEST_EFFORT) + "/" + file)).isEqualTo("1");
    mode = RegulatorMode.OBSERVE;
    change(PROMOTED);
    assertThat(machine.read(cgroup(BEST_EFFORT) + "/" + file)).isEqualTo("0");
    assertThat(machine.read(cgroup(ContainerClass.PRODUCTION) + "/" + file)).isEqualTo("0");
    assertThat(cgroups.warnings()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aKernelWithoutThatFileIsToleratedAndReported(CgroupVersion of) throws IOException {
    open(of);
    start(TASK);
    assertThat(cgroups.warnings()).isEqualTo(of == CgroupVersion.V2 ? 1 : 0);
    counts(BEST_EFFORT, 1, 0);
    oomKills.tick();
    assertThat(ended).containsExactly("container_1");
  }
}
