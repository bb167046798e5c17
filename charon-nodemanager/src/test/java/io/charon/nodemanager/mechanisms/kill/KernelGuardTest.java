/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.charon.core.kill.VictimChoice.Policy;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.Owner;
import io.charon.killer.client.CgroupId;
import io.charon.killer.client.ContainerRegistration;
import io.charon.killer.client.ContainerSample;
import io.charon.killer.client.DomainSettings;
import io.charon.killer.client.KernelDecision;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import io.charon.killer.client.KernelTier;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupPatterns;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.InOrder;

/** The guard with a killer that answers as told; the real kernel is in the integration tests. */
class KernelGuardTest {
  private static final DomainSettings WANTED =
      new DomainSettings(Duration.ofSeconds(3), Policy.MEMORY_PER_TIME);

  @TempDir Path root;
  private final KernelKiller killer = mock(KernelKiller.class);
  private final List<String> events = new ArrayList<>();
  private Optional<KernelKillerException> refusal = Optional.empty();
  private KernelKiller loaded = killer;
  private long nanos = 1_000;
  private CgroupLayout layout;
  private long domain;
  private long bestEffort;
  private KernelGuard guard;

  @BeforeEach
  void prepare() throws Exception {
    layout = FakeMachine.v2(root).detect("/charon");
    Path node = layout.nodeDirectory(layout.memory());
    Files.createDirectories(node);
    domain = CgroupId.of(node);
    bestEffort = CgroupId.of(Files.createDirectories(node.resolve("best-effort")));
    prepare(killer);
    guard = guard(List.of());
  }

  private void prepare(KernelKiller loaded) throws KernelKillerException {
    when(loaded.tier()).thenReturn(KernelTier.KERNEL_KILL);
    when(loaded.reason()).thenReturn("the kernel allows everything");
    when(loaded.effective()).thenReturn(true);
    when(loaded.isCurrent()).thenReturn(true);
    when(loaded.domains()).thenReturn(Set.of(domain));
    when(loaded.killableRoots(anyLong())).thenReturn(Set.of(bestEffort));
    when(loaded.settings(anyLong())).thenReturn(Optional.of(WANTED));
    when(loaded.decisionsSince(anyLong())).thenReturn(List.of());
    when(loaded.registration(anyLong())).thenReturn(Optional.empty());
  }

  @Test
  void isNotInChargeWhileNothingIsLoaded() {
    refusal = notLoaded();

    guard.tick();

    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state())
        .isEqualTo(new KernelGuard.State(false, Optional.empty(), "not loaded", Optional.empty()));
  }

  @Test
  void findsAKillerThatIsLoadedLater() throws Exception {
    refusal = notLoaded();
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    verify(killer, never()).register(anyLong(), any());

    refusal = Optional.empty();
    guard.tick();

    assertThat(guard.inCharge()).isTrue();
    assertThat(guard.state().tier()).contains(KernelTier.KERNEL_KILL);
    verify(killer).register(id(task), new ContainerRegistration(domain, 1_000, 1));
  }

  @Test
  void aDomainAboveTheNodeIsTheNodesDomain() throws Exception {
    Path hierarchy = layout.memory().mountPoint();
    when(killer.domains()).thenReturn(Set.of(CgroupId.of(hierarchy)));

    guard.tick();

    assertThat(guard.state().domain()).contains(hierarchy.toString());
  }

  @Test
  void saysWhatIsMissingWhereNoDomainHoldsTheNode() throws Exception {
    when(killer.domains()).thenReturn(Set.of(77L));

    guard.tick();

    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).contains("no domain holds").contains("ua-killer domain add");
    verify(killer).close();
  }

  @Test
  void isInChargeOnlyWhileRootLetsBestEffortBeKilled() throws Exception {
    when(killer.killableRoots(domain)).thenReturn(Set.of(domain + 77));
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).contains("nobody may be killed below");
    assertThat(guard.state().reason()).endsWith("--killable-below " + bestEffortPath());

    when(killer.killableRoots(domain)).thenReturn(Set.of(bestEffort));
    guard.tick();
    assertThat(guard.inCharge()).isTrue();

    when(killer.killableRoots(domain)).thenReturn(Set.of());
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
  }

  private Path bestEffortPath() {
    return layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT);
  }

  @Test
  void aTierWithoutItsHelperIsNotInCharge() throws Exception {
    when(killer.tier()).thenReturn(KernelTier.KERNEL_DETECT);
    when(killer.effective()).thenReturn(false);

    guard.tick();

    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).contains("helper does not run");
    assertThat(guard.state().tier()).contains(KernelTier.KERNEL_DETECT);
  }

  @Test
  void setsWhatTheOperatorWantsOnlyWhereItDiffers() throws Exception {
    guard.tick();
    verify(killer, never()).change(anyLong(), any());

    when(killer.settings(anyLong()))
        .thenReturn(Optional.of(new DomainSettings(Duration.ZERO, Policy.SCORE)));
    when(killer.isCurrent()).thenReturn(false);
    guard.tick();
    verify(killer).change(domain, WANTED);
  }

  @Test
  void onlyBestEffortTasksMayDieAndTheNewestApplicationFirst() throws Exception {
    guard.tick();
    ContainerInfo old = started(bestEffort("container_1", "application_1_0001"));
    ContainerInfo production = started(ContainerInfos.production("container_2", 1));
    ContainerInfo master =
        started(
            new ContainerInfo(
                "container_3",
                new Owner("alice", "application_1_0003"),
                ExecutionType.OPPORTUNISTIC,
                true,
                new JobKey("job"),
                1));
    verify(killer).register(id(old), new ContainerRegistration(domain, 1_000, 1));
    verify(killer).register(id(production), new ContainerRegistration(domain, 1_000, 0));
    verify(killer).register(id(master), new ContainerRegistration(domain, 1_000, 0));

    clearInvocations(killer);
    ContainerInfo young = started(bestEffort("container_4", "application_1_0002"));
    verify(killer).register(id(young), new ContainerRegistration(domain, 1_000, 2));
    verify(killer, times(1)).register(anyLong(), any()); // nobody else's score changed

    clearInvocations(killer);
    guard.stopped("container_1");
    guard.tick();
    verify(killer).unregister(id(old));
    verify(killer).register(id(young), new ContainerRegistration(domain, 1_000, 1));
  }

  @Test
  void aContainerFoundRunningKeepsTheAgeThatTheKernelKnows() throws Exception {
    guard.tick();
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 1);
    Files.createDirectories(directory(task));
    when(killer.registration(id(task)))
        .thenReturn(Optional.of(new ContainerRegistration(domain, 55, 1)));

    guard.reacquired(task);

    verify(killer).register(id(task), new ContainerRegistration(domain, 55, 1));
  }

  @Test
  void everythingIsRegisteredAgainWithAKillerThatWasLoadedAnew() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    guard.tick();
    verify(killer, times(1)).register(anyLong(), any());

    KernelKiller other = mock(KernelKiller.class);
    prepare(other);
    loaded = other;
    when(killer.isCurrent()).thenReturn(false);
    guard.tick();

    verify(killer).close();
    verify(other).register(id(task), new ContainerRegistration(domain, 1_000, 1));
  }

  @Test
  void aKillIsKnownBeforeItsContainerIsForgotten() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    when(killer.decisionsSince(0)).thenReturn(List.of(decision(1, id(task), domain)));
    when(killer.samples(id(task)))
        .thenReturn(List.of(sample(-5_000_000_000L), sample(-2_000_000_000L)));

    guard.stopped("container_1");

    assertThat(events)
        .containsExactly(
            "killed container_1: kernel killer: container_1 had anonymous thrash for 3.02 s,"
                + " cgth_time 3.00 s; 1 samples");
    InOrder order = inOrder(killer);
    order.verify(killer).samples(id(task));
    order.verify(killer).unregister(id(task));
  }

  @Test
  void killsOfOthersAndOldKillsAreNotOurs() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    when(killer.decisionsSince(0))
        .thenReturn(List.of(decision(4, 999, domain), decision(5, id(task), domain + 1)));

    guard.readKills();

    assertThat(events).isEmpty();
    guard.readKills();
    verify(killer).decisionsSince(5);
  }

  @Test
  void aReleaseIsToldOnceItIsKnown() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    KernelDecision decision = decision(1, id(task), domain);
    when(killer.decisionsSince(0)).thenReturn(List.of(decision));
    when(killer.decision(1)).thenReturn(Optional.of(decision));
    guard.readKills();
    events.clear();

    when(killer.decision(1)).thenReturn(Optional.of(released(decision)));
    guard.tick();
    guard.tick();

    assertThat(events).containsExactly("released container_1 after 7000000 ns");
  }

  @Test
  void aReleaseThatNobodyWritesDownIsNotAwaitedForEver() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    when(killer.decisionsSince(0)).thenReturn(List.of(decision(1, id(task), domain)));
    when(killer.decision(1)).thenReturn(Optional.empty());
    guard.readKills();
    nanos += Duration.ofSeconds(11).toNanos();
    guard.readKills();
    clearInvocations(killer);

    guard.readKills();

    verify(killer, never()).decision(anyLong());
  }

  @Test
  void servicesOutsideYarnAreWatchedWhileTheyExist() throws Exception {
    guard = guard(List.of("/db*/*.service"));
    Path service = Files.createDirectories(root.resolve("cgroup/db-slice/main.service"));
    long id = CgroupId.of(service);

    guard.tick();
    verify(killer).register(id, new ContainerRegistration(domain, 0, 0));

    Files.delete(service);
    guard.tick();
    verify(killer).unregister(id);
  }

  private static Optional<KernelKillerException> notLoaded() {
    KernelKillerException refusal = mock(KernelKillerException.class);
    when(refusal.getMessage()).thenReturn("not loaded");
    return Optional.of(refusal);
  }

  @Test
  void aPromotedContainerIsWatchedAndMayNotDieAnyMore() throws Exception {
    guard.tick();
    ContainerInfo bestEffort = started(bestEffort("container_1", "application_1_0001"));
    ContainerInfo promoted = ContainerInfos.production("container_1", 1);
    Files.createDirectories(directory(promoted));
    nanos += 5_000;

    clearInvocations(killer);
    guard.changed(promoted);

    InOrder order = inOrder(killer);
    order.verify(killer).unregister(id(bestEffort));
    order.verify(killer).register(id(promoted), new ContainerRegistration(domain, 1_000, 0));
    verify(killer, times(1)).register(anyLong(), any());
  }

  private KernelGuard guard(List<String> services) {
    Path hierarchy = layout.memory().mountPoint();
    return new KernelGuard(
        new KernelLink(this::open, layout.nodeDirectory(layout.memory()), hierarchy, WANTED),
        new KernelRegistrations(layout, new CgroupPatterns(hierarchy, services)),
        new KernelKillListener() {
          @Override
          public void killed(String containerId, KernelKill kill) {
            events.add(
                "killed %s: %s; %d samples"
                    .formatted(containerId, kill.reason(), kill.samples().size()));
          }

          @Override
          public void released(String containerId, KernelKill kill) {
            events.add(
                "released %s after %d ns".formatted(containerId, kill.nanosToFreed().getAsLong()));
          }
        },
        () -> nanos);
  }

  private KernelKiller open() throws KernelKillerException {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    return loaded;
  }

  private ContainerInfo started(ContainerInfo info) throws IOException {
    Files.createDirectories(directory(info));
    guard.started(info);
    return info;
  }

  private static ContainerInfo bestEffort(String id, String application) {
    return new ContainerInfo(
        id,
        new Owner("alice", application),
        ExecutionType.OPPORTUNISTIC,
        false,
        new JobKey("job"),
        1);
  }

  private Path directory(ContainerInfo info) {
    return layout.containerDirectory(layout.memory(), info.containerClass(), info.containerId());
  }

  private long id(ContainerInfo info) throws IOException {
    return CgroupId.of(directory(info));
  }

  private KernelDecision decision(long sequence, long victim, long ofDomain) {
    return new KernelDecision(
        sequence,
        ofDomain,
        victim,
        victim,
        KernelDecision.Series.ANONYMOUS,
        3_020_000_000L,
        3_000_000_000L,
        Policy.MEMORY_PER_TIME,
        5,
        1,
        nanos,
        OptionalLong.empty(),
        List.of(),
        Optional.empty());
  }

  private static KernelDecision released(KernelDecision decision) {
    return new KernelDecision(
        decision.sequence(),
        decision.domain(),
        decision.trigger(),
        decision.victim(),
        decision.series(),
        decision.thrashNanos(),
        decision.thrashingToleranceNanos(),
        decision.policy(),
        decision.victimBytes(),
        decision.signals(),
        decision.decisionNanos(),
        decision.lastSignalNanos(),
        decision.ranking(),
        Optional.of(
            new KernelDecision.Release(
                decision.decisionNanos() + 7_000_000, decision.decisionNanos() + 8_000_000)));
  }

  private ContainerSample sample(long beforeNanos) {
    return new ContainerSample(nanos + beforeNanos, 1, 1, 1, true);
  }
}
