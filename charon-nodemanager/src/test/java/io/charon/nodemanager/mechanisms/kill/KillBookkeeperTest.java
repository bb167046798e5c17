/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.charon.core.kill.VictimChoice;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.killer.client.KernelDecision;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KillBookkeeperTest {
  private static final Duration GRACE = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final ContainerLedger ledger = new ContainerLedger();
  private final LaunchGate gate = mock(LaunchGate.class);
  private final DyingContainers dying = new DyingContainers(() -> nanos(), () -> {});
  private final NodeMetrics metrics = new NodeMetrics();
  private long nanos;
  private KillBookkeeper kills;

  @BeforeEach
  void run() {
    kills =
        new KillBookkeeper(
            ledger,
            gate,
            dying,
            metrics,
            Audit.direct(
                Optional.of(new AuditLog(directory, 1 << 20)),
                Clock.systemUTC(),
                metrics.toleratedFailures()),
            Clock.systemUTC(),
            () -> nanos);
    ledger.started(ContainerInfos.bestEffort("c1", 100));
  }

  private long nanos() {
    return nanos;
  }

  private List<String> audit() throws IOException {
    Path file = directory.resolve("audit.jsonl");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private String reason() {
    return ledger.find("c1").flatMap(ContainerLedger.Entry::killReason).orElse("");
  }

  private static KernelKill kernelKill() {
    return new KernelKill(
        new KernelDecision(
            7,
            1,
            1_000_000_000L,
            new KernelDecision.Trigger(
                20, KernelDecision.Series.FILE, 3_060_000_000L, 3_000_000_000L),
            new KernelDecision.Victim(10, 500, VictimChoice.Policy.MEMORY_PER_TIME, List.of()),
            new KernelDecision.Execution(3, OptionalLong.empty(), Optional.empty())),
        Map.of(20L, "/db.service"),
        List.of());
  }

  @Test
  void whatTheKernelKillsLeavesALineToo() throws IOException {
    kills.killed("c1", kernelKill());
    assertThat(audit())
        .singleElement()
        .asString()
        .contains("\"regulator\":\"kernel\"", "\"limit\":3.0", "\"thrashSeconds\":3.06")
        .contains("\"action\":\"kill\",\"target\":\"c1\",\"result\":\"applied: killed\"")
        .contains("/db.service had file thrash");
    assertThat(dying.contains("c1")).isTrue();
    verify(gate).killedForMemory();
  }

  @Test
  @Tag("must-never")
  void aContainerThatTheKernelKilledIsNotKilledAgainWhenItsGracePeriodEnds() throws IOException {
    ContainerControl.Killer killer = mock(ContainerControl.Killer.class);
    try (ActionExecutor executor = executor(killer)) {
      evict(executor);
      verify(killer).terminate("c1");
      kills.killed("c1", kernelKill());
      nanos += GRACE.toNanos();
      executor.killOverdue();
    }
    verify(killer, never()).kill("c1");
  }

  @Test
  @Tag("must-never")
  void oneThatEndsAtOnceWhenAskedIsNotKilledWhenItsGracePeriodEnds() throws IOException {
    ContainerControl.Killer killer = mock(ContainerControl.Killer.class);
    doAnswer(
            asked -> {
              kills.ended("c1");
              return null;
            })
        .when(killer)
        .terminate("c1");
    try (ActionExecutor executor = executor(killer)) {
      evict(executor);
      assertThat(dying.isEnding("c1")).isFalse();
      nanos += GRACE.toNanos();
      executor.killOverdue();
    }
    verify(killer, never()).kill("c1");
  }

  @Test
  @Tag("must-never")
  void oneThatCouldNotBeAskedIsNotKilledLater() throws IOException {
    ContainerControl.Killer killer = mock(ContainerControl.Killer.class);
    doThrow(new IOException("no signal")).when(killer).terminate("c1");
    try (ActionExecutor executor = executor(killer)) {
      evict(executor);
      nanos += GRACE.toNanos();
      executor.killOverdue();
    }
    verify(killer, never()).kill("c1");
    assertThat(metrics.toleratedFailures().getCount()).isEqualTo(1);
  }

  private ActionExecutor executor(ContainerControl.Killer killer) {
    return new ActionExecutor(
        dying,
        kills,
        ContainerControl.of(Optional.empty(), killer),
        Audit.direct(Optional.empty(), Clock.systemUTC(), metrics.toleratedFailures()),
        metrics.toleratedFailures(),
        () -> nanos);
  }

  private static void evict(ActionExecutor executor) {
    Basis basis = new Basis("the node", Map.of(), 0, "a rule", "a reason");
    var unused =
        executor.perform(
            "evict-line", RegulatorMode.ENFORCE, new Action.Kill("c1", List.of(), GRACE, basis));
  }

  @Test
  void whatLinuxKillsLeavesALineToo() throws IOException {
    kills.killedByLinux("c1");
    assertThat(audit())
        .singleElement()
        .asString()
        .contains("\"regulator\":\"linux-oom\"", "\"target\":\"c1\"");
  }

  @Test
  void whatTheExecutorKillsIsAttributedByItsMechanism() throws IOException {
    kills.aboutToKill("freeze", "c1", "frozen for too long");
    assertThat(reason()).isEqualTo("freeze before kill: frozen for too long");
    kills.aboutToKill("user-space", "c1", "a");
    kills.aboutToKill("memory", "c1", "b");
    kills.aboutToKill("some other mechanism", "c1", "c");
    kills.aboutToKill("memory-limit", "c1", "d");
    assertThat(kills.log().recent())
        .extracting(KillLog.Kill::by)
        .containsExactlyInAnyOrder(
            KillLog.Killer.FREEZE,
            KillLog.Killer.USER_SPACE,
            KillLog.Killer.REGULATOR,
            KillLog.Killer.REGULATOR,
            KillLog.Killer.MEMORY_LIMIT);
    assertThat(metrics.kills("memory_limit").getCount()).isEqualTo(1);
    verify(gate, times(5)).killedForMemory();
    assertThat(audit()).as("the executor leaves these lines").isEmpty();
  }

  @Test
  void theTimeOfAnyKillIsKept() {
    assertThat(kills.lastKill().nanos()).isEmpty();
    nanos = 77;
    kills.killedByLinux("c1");
    assertThat(kills.lastKill().nanos()).hasValue(77);
    nanos = 78;
    kills.aboutToKill("stop", "c2", "kill by alice");
    assertThat(kills.lastKill().nanos()).hasValue(78);
  }

  @Test
  void evictionForMemoryDelaysLaunchesAndForCpuTimeTeachesNothingAboutMemory() {
    kills.aboutToKill("evict-satisfaction", "c1", "eviction for CPU satisfaction: x");
    assertThat(reason()).isEqualTo("eviction for CPU satisfaction: x");
    assertThat(ledger.find("c1").orElseThrow().killedForMemory()).isFalse();
    verify(gate, never()).killedForMemory();
    kills.aboutToKill("evict-line", "c1", "eviction above a memory line: x");
    kills.aboutToKill("evict-psi", "c1", "eviction under memory pressure: x");
    verify(gate, times(2)).killedForMemory();
    assertThat(ledger.find("c1").orElseThrow().killedForMemory()).isTrue();
    assertThat(metrics.kills("evict_satisfaction").getCount()).isEqualTo(1);
    assertThat(metrics.kills("evict_line").getCount()).isEqualTo(1);
    assertThat(metrics.kills("evict_psi").getCount()).isEqualTo(1);
  }

  /** A later failure of the container itself must count as a failure. */
  @Test
  void aFailedKillLeavesNoReasonForTheEnd() {
    kills.aboutToKill("evict-line", "c1", "eviction above a memory line: x");
    kills.notKilled("c1");
    assertThat(reason()).isEmpty();
  }

  @Test
  @Tag("must-never")
  void aPromotedContainerIsNotKilledAfterItsGrace() {
    dying.add("c1");
    kills.changed(ContainerInfos.bestEffort("c1", 100), true);
    assertThat(dying.contains("c1")).isTrue();
    kills.changed(ContainerInfos.production("c1", 100), true);
    assertThat(dying.isEnding("c1")).isFalse();
  }

  @Test
  void anOperatorsStopIsNoLackOfMemory() {
    kills.aboutToKill("stop", "c1", "kill by alice");
    assertThat(reason()).isEqualTo(KillBookkeeper.BY_STOP + "kill by alice");
    assertThat(ledger.find("c1").orElseThrow().killedForMemory()).isFalse();
    verify(gate, never()).killedForMemory();
  }
}
