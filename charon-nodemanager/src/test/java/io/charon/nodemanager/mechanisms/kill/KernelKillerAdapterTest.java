/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.reset;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.charon.core.kill.VictimChoice.Policy;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.memorylimit.Holder;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.Owner;
import io.charon.killer.client.CgroupId;
import io.charon.killer.client.ContainerRegistration;
import io.charon.killer.client.DomainSettings;
import io.charon.killer.client.KernelDecision;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKiller.ContainerSample;
import io.charon.killer.client.KernelKillerException;
import io.charon.killer.client.KernelTier;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.MemoryLimitSettings;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.mechanisms.freeze.FreezeState;
import io.charon.nodemanager.mechanisms.stop.StopState;
import io.charon.nodemanager.report.metrics.AlertTimeline;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.report.metrics.PrometheusText;
import io.charon.nodemanager.report.status.StatusReporter;
import io.charon.nodemanager.report.status.StatusSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.InOrder;

/** Tests the adapter with a simulated killer; the real kernel is in the integration tests. */
class KernelKillerAdapterTest {
  private static final DomainSettings WANTED =
      new DomainSettings(Duration.ofSeconds(3), Policy.MEMORY_PER_TIME, Duration.ofSeconds(1));

  @TempDir Path root;
  @TempDir Path promtool;
  private final KernelKiller killer = mock(KernelKiller.class);
  private final List<String> events = new ArrayList<>();

  /** The registrations with the killers by cgroup id, and the number of changes. */
  private final Map<Long, ContainerRegistration> registered = new HashMap<>();

  private int registrations;

  /** The reasons why cgroups cannot be registered, by their ids. */
  private final Map<Long, String> refusals = new HashMap<>();

  private final List<ContainerInfo> running = new ArrayList<>();
  private ContainerPlaces.Outside outside = ContainerPlaces.Outside.none();
  private final Map<Long, String> left = new HashMap<>();
  private List<MemoryLimitSettings.Service> entitled = List.of();
  private DomainSettings stored = WANTED;
  private Optional<KernelKillerException> refusal = Optional.empty();
  private KernelKiller loaded = killer;
  private long nanos = 1_000;
  private CgroupLayout layout;
  private long domain;
  private long bestEffort;
  private KernelKillerAdapter guard;

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
    when(loaded.reason()).thenReturn("the kernel supports all programs");
    when(loaded.effective()).thenReturn(true);
    when(loaded.isCurrent()).thenReturn(true);
    when(loaded.domains()).thenReturn(Set.of(domain));
    when(loaded.killableRoots(anyLong())).thenReturn(Set.of(bestEffort));
    when(loaded.loadedNanos()).thenReturn(1L);
    when(loaded.settings(anyLong())).thenAnswer(asked -> Optional.of(stored));
    doAnswer(
            asked -> {
              stored = asked.getArgument(1);
              return null;
            })
        .when(loaded)
        .change(anyLong(), any());
    when(loaded.decisionsSince(anyLong())).thenReturn(List.of());
    when(loaded.registrations(domain)).thenAnswer(asked -> Map.copyOf(registered));
    when(loaded.update(eq(domain), any(), any()))
        .thenAnswer(
            asked -> {
              Map<Long, ContainerRegistration> changed = asked.getArgument(1);
              Collection<Long> forgotten = asked.getArgument(2);
              Map<Long, String> refused = new HashMap<>(refusals);
              refused.keySet().retainAll(changed.keySet());
              registered.putAll(changed);
              registered.keySet().removeAll(refused.keySet());
              registrations += changed.size() - refused.size();
              registered.keySet().removeAll(forgotten);
              return refused;
            });
  }

  @Test
  void isNotInChargeWhileNothingIsLoaded() {
    refusal = notLoaded();

    guard.tick();

    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state())
        .isEqualTo(
            new KernelKillerAdapter.State(
                false, Optional.empty(), "not loaded", Optional.empty(), 0));
  }

  @Test
  void withoutKillsAllowedOwnRegistrationsAreRemovedForGood() throws Exception {
    started(ContainerInfos.bestEffort("container_1", 1));
    guard.tick();
    registered.put(77L, new ContainerRegistration(1, 1)); // from an earlier NodeManager
    registered.put(78L, new ContainerRegistration(1, 1)); // from another process

    guard.withdraw(Set.of(77L));
    assertThat(registered).containsOnlyKeys(78L);
    started(ContainerInfos.bestEffort("container_2", 1));
    assertThat(registered).containsOnlyKeys(78L);
    verify(killer).close();
  }

  @Test
  void findsAKillerThatIsLoadedLater() throws Exception {
    refusal = notLoaded();
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    assertThat(registered).isEmpty();

    refusal = Optional.empty();
    guard.tick();

    assertThat(guard.inCharge()).isTrue();
    assertThat(guard.state().tier()).contains(KernelTier.KERNEL_KILL);
    assertThat(registered).containsEntry(id(task), new ContainerRegistration(1_000, 1));
  }

  @Test
  void whereYarnMakesTheCgroupsItsHierarchyIsTheKillableRoot() throws Exception {
    Path hierarchy = layout.memory().mountPoint();
    Path yarns = Files.createDirectories(hierarchy.resolve("hadoop-yarn"));
    Path place = Files.createDirectories(yarns.resolve("container_1"));
    Map<String, Path> adopted = new HashMap<>();
    domain = CgroupId.of(hierarchy);
    prepare(killer);
    when(killer.killableRoots(anyLong())).thenReturn(Set.of(CgroupId.of(yarns)));
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 1);
    running.add(task);
    guard =
        guard(
            WatchedCgroups.adopted(
                FakeMachine.v2(root).detect("/hadoop-yarn"),
                info -> Optional.ofNullable(adopted.get(info.containerId()))),
            List.of(),
            WANTED);

    guard.started(task); // its cgroup does not exist yet
    guard.tick();
    assertThat(registered).isEmpty();
    adopted.put("container_1", place);
    guard.started(task);

    assertThat(registered).containsOnlyKeys(CgroupId.of(place));
    assertThat(registered.get(CgroupId.of(place)).score()).isPositive();
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
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
    assertThat(guard.state().reason())
        .contains("no domain contains")
        .contains("ua-killer domain add");
    verify(killer).close();
  }

  @Test
  void isInChargeOnlyWhileRootLetsBestEffortBeKilled() throws Exception {
    when(killer.killableRoots(domain)).thenReturn(Set.of(domain + 77));
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).contains("no container may be killed below");
    assertThat(guard.state().reason()).endsWith("--killable-below " + bestEffortPath());

    when(killer.killableRoots(domain)).thenReturn(Set.of(bestEffort));
    guard.tick();
    assertThat(guard.inCharge()).isTrue();

    when(killer.killableRoots(domain)).thenReturn(Set.of());
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
  }

  @Test
  void aToleranceOfZeroMeansThatNoKillerIsInCharge() throws Exception {
    stored = new DomainSettings(Duration.ZERO, Policy.MEMORY_PER_TIME, Duration.ofSeconds(1));
    guard = guard(List.of(), stored);

    guard.tick();

    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason())
        .isEqualTo("yarn.nodemanager.charon.killer.cgth-time-ms is 0, so it never kills");
    assertThat(guard.state().tier()).contains(KernelTier.KERNEL_KILL);
  }

  @Test
  void changedSettingsAreRestoredAndRepeatedChangesEndTheCharge() throws Exception {
    guard.tick();
    stored = new DomainSettings(Duration.ZERO, Policy.SCORE, Duration.ofSeconds(1));

    guard.tick();
    assertThat(stored).isEqualTo(WANTED);
    assertThat(guard.inCharge()).as("once is a matter of the moment").isTrue();

    guard.tick();
    assertThat(guard.inCharge()).isTrue();

    for (int tick = 0; tick < 2; tick++) {
      stored = new DomainSettings(Duration.ofMillis(1), Policy.SCORE, Duration.ofSeconds(1));
      guard.tick();
    }
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).contains("its settings had been changed from outside");

    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).contains("it can kill again");
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
  }

  @Test
  void oneContainerThatCannotBeRegisteredKeepsNoOtherOutAndIsNamed() throws Exception {
    guard.tick();
    Files.createDirectories(directory(ContainerInfos.bestEffort("container_1", 1)));
    long full = id(ContainerInfos.bestEffort("container_1", 1));
    refusals.put(full, "the table is full");

    started(ContainerInfos.bestEffort("container_1", 1));
    ContainerInfo other = started(ContainerInfos.bestEffort("container_2", 1));
    assertThat(registered).containsOnlyKeys(id(other));

    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason())
        .isEqualTo("container_1 cannot be registered: the table is full");

    guard.stopped("container_1");
    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
  }

  @Test
  void aTaskThatIsNotKnownToTheKernelAfterTwoTicksIsNotProtected() throws Exception {
    guard.tick();
    running.add(ContainerInfos.bestEffort("container_1", 1)); // its cgroup could not be created

    guard.tick();
    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).as("it may be on its way").isTrue();
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).isEqualTo("container_1 is not registered");
  }

  @Test
  void aContainerWhoseProcessIsElsewhereIsNotProtected() throws Exception {
    guard.tick();
    assertThat(guard.inCharge()).isTrue();

    outside =
        new ContainerPlaces.Outside(
            new TreeMap<>(Map.of("container_1", Path.of("/cg/nm.service"))), "no way", "ask root");
    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason())
        .isEqualTo("container_1 runs outside its cgroup, in /cg/nm.service: no way; ask root");

    outside = ContainerPlaces.Outside.none();
    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
  }

  @Test
  void productionAndMastersMayBeAnywhere() throws Exception {
    guard.tick();
    running.add(ContainerInfos.production("container_1", 1));
    running.add(ContainerInfos.master("container_2", 1));

    for (int tick = 0; tick < 5; tick++) {
      guard.tick();
    }
    assertThat(guard.inCharge()).isTrue();
  }

  @Test
  void aFailedTickLeavesNoKillerThatOnlySeemsToBeInCharge() throws Exception {
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
    when(killer.isCurrent()).thenThrow(new NoClassDefFoundError("injected"));

    assertThatThrownBy(guard::tick).isInstanceOf(NoClassDefFoundError.class);

    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).contains("the check of the kernel killer failed");
  }

  @Test
  void aKillWhileNoNodeManagerRanIsKnownWhenYarnAsksForTheContainer() throws Exception {
    left.put(4711L, "container_1"); // its cgroup was removed at the start of the NodeManager
    guard = guard(List.of());
    when(killer.decisionsSince(0)).thenReturn(List.of(decision(1, 4711, domain)));

    guard.tick();
    assertThat(events).as("YARN has not said that it knows it").isEmpty();
    guard.reacquired(ContainerInfos.bestEffort("container_1", 1));
    assertThat(events).singleElement().asString().startsWith("killed container_1: kernel killer");

    guard.reacquired(ContainerInfos.bestEffort("container_1", 1));
    guard.stopped("container_1");
    assertThat(events).hasSize(1);
  }

  @Test
  void aKillThatIsReadAfterYarnHasAskedIsToldAtOnce() throws Exception {
    left.put(4711L, "container_1");
    guard = guard(List.of());
    guard.reacquired(ContainerInfos.bestEffort("container_1", 1));
    when(killer.decisionsSince(0)).thenReturn(List.of(decision(1, 4711, domain)));

    guard.tick();

    assertThat(events).singleElement().asString().startsWith("killed container_1: kernel killer");
  }

  @Test
  void urgentCallersReadNothingWhileATickHangs() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    when(killer.isCurrent())
        .thenAnswer(
            call -> {
              hangs.countDown();
              return goOn.await(60, TimeUnit.SECONDS);
            });
    when(killer.decisionsSince(0)).thenReturn(List.of(decision(1, id(task), domain)));
    Thread tick = new Thread(guard::tick);
    tick.start();
    hangs.await();

    guard.readKillsAtOnce();
    assertThat(events).isEmpty();

    goOn.countDown();
    tick.join();
    guard.readKillsAtOnce();
    assertThat(events).hasSize(1);
  }

  @Test
  void programsThatAreNotAttachedAnyMoreSeeNothing() throws Exception {
    when(killer.attachedPrograms()).thenReturn(3);
    guard.tick();
    when(killer.attachedPrograms()).thenReturn(2);

    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).startsWith("of its 3 programs only 2 are attached");
  }

  @Test
  void passesThatDoNotReachEveryCgroupCostTheCharge() throws Exception {
    when(killer.truncatedWalks()).thenReturn(5L, 5L, 6L, 7L, 7L, 7L, 7L);
    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).as("once is a matter of the moment").isTrue();
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason())
        .contains("more cgroups than one pass of the kernel killer can visit");

    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
  }

  @Test
  void aFullTableOfItsDetectorCostsTheCharge() throws Exception {
    when(killer.missedEntries()).thenReturn(5L, 5L, 6L, 7L, 7L, 7L, 7L);
    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).as("once is a matter of the moment").isTrue();
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).contains("a table of its detector is full");

    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
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
    assertThat(guard.state().reason()).contains("helper is not running");
    assertThat(guard.state().tier()).contains(KernelTier.KERNEL_DETECT);
  }

  @Test
  void aHelperThatEndsRaisesTheAlertOfTheKernelKiller() throws Exception {
    PrometheusText page = page();
    when(killer.tier()).thenReturn(KernelTier.KERNEL_DETECT);
    guard.tick();
    AlertTimeline timeline =
        new AlertTimeline(promtool, Duration.ofMinutes(1))
            .scrape(page)
            .holdFor(Duration.ofHours(1))
            .assertQuiet();

    when(killer.effective()).thenReturn(false);
    guard.tick();

    timeline.scrape(page).holdFor(Duration.ofMinutes(15)).assertFires("CharonKernelKillerLost");
  }

  @Test
  void setsWhatTheOperatorWantsOnlyWhereItDiffers() throws Exception {
    guard.tick();
    verify(killer, never()).change(anyLong(), any());

    stored = new DomainSettings(Duration.ZERO, Policy.SCORE, Duration.ofSeconds(1));
    when(killer.isCurrent()).thenReturn(false);
    guard.tick();
    verify(killer).change(domain, WANTED);
  }

  @Test
  @Tag("must-never")
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
                1,
                1));
    assertThat(registered).containsEntry(id(old), new ContainerRegistration(1_000, 1));
    assertThat(registered).containsEntry(id(production), new ContainerRegistration(1_000, 0, 1));
    assertThat(registered).containsEntry(id(master), new ContainerRegistration(1_000, 0));

    ContainerInfo young = started(bestEffort("container_4", "application_1_0002"));
    assertThat(registered).containsEntry(id(young), new ContainerRegistration(1_000, 2));
    assertThat(registrations).as("nobody else's score changed").isEqualTo(4);

    guard.stopped("container_1");
    assertThat(registered).doesNotContainKey(id(old));
    guard.tick();
    assertThat(registered).containsEntry(id(young), new ContainerRegistration(1_000, 1));
  }

  @Test
  void aContainerFoundRunningKeepsTheAgeThatTheKernelKnows() throws Exception {
    guard.tick();
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 1);
    Files.createDirectories(directory(task));
    registered.put(id(task), new ContainerRegistration(55, 1));

    guard.reacquired(task);
    assertThat(registered)
        .containsEntry(id(task), new ContainerRegistration(0, 1)); // requests to keep the value
    registered.put(id(task), new ContainerRegistration(55, 1)); // as the helper does
    int before = registrations;
    guard.tick();
    assertThat(registrations).as("and is content").isEqualTo(before);

    assertThat(registered).containsEntry(id(task), new ContainerRegistration(55, 1));
  }

  @Test
  void everythingIsRegisteredAgainWithAKillerThatWasLoadedAnew() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    guard.tick();
    assertThat(registrations).isEqualTo(1);

    registered.clear();
    KernelKiller other = mock(KernelKiller.class);
    prepare(other);
    loaded = other;
    when(killer.isCurrent()).thenReturn(false);
    guard.tick();

    verify(killer).close();
    assertThat(registered).containsEntry(id(task), new ContainerRegistration(1_000, 1));
  }

  @Test
  void aKillThatIsReadNamesItsContainerWhichIsForgottenAfterwards() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    when(killer.decisionsSince(0)).thenReturn(List.of(decision(1, id(task), domain)));
    when(killer.samples(id(task)))
        .thenReturn(List.of(sample(-5_000_000_000L), sample(-2_000_000_000L)));

    guard.readKills();
    guard.stopped("container_1");

    assertThat(events)
        .containsExactly(
            "killed container_1: kernel killer: container_1 had anonymous thrash for 3.02 s,"
                + " cgth_time 3.00 s; 1 samples");
    InOrder order = inOrder(killer);
    order.verify(killer).samples(id(task));
    order.verify(killer).update(domain, Map.of(), Set.of(id(task)));
  }

  @Test
  void aKillWhoseSeriesCannotBeReadIsToldOnceWithoutIt() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    when(killer.decisionsSince(0)).thenReturn(List.of(decision(1, id(task), domain)));
    when(killer.samples(id(task)))
        .thenThrow(new KernelKillerException("no answer"))
        .thenReturn(List.of(sample(-2_000_000_000L)));

    guard.readKills();
    guard.readKills();

    assertThat(events)
        .singleElement()
        .asString()
        .startsWith("killed container_1")
        .endsWith("; 0 samples");
  }

  @Test
  void aKillIsToldOnceThoughTheHelperIsStartedAgainAndAnewWithAnotherKiller() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    when(killer.decisionsSince(0)).thenReturn(List.of(decision(1, id(task), domain)));
    guard.tick();
    assertThat(events).hasSize(1);

    when(killer.isCurrent()).thenThrow(new KernelKillerException("it has ended")).thenReturn(true);
    guard.tick();
    guard.tick();
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
    assertThat(events).hasSize(1);

    KernelKiller other = mock(KernelKiller.class);
    prepare(other);
    when(other.loadedNanos()).thenReturn(7L);
    when(other.decisionsSince(0)).thenReturn(List.of(decision(1, id(task), domain)));
    loaded = other;
    when(killer.isCurrent()).thenReturn(false);
    guard.tick();
    assertThat(events).hasSize(2);
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
  void aDecisionWithoutAHelperIsNoKill() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    ContainerInfo other = started(ContainerInfos.bestEffort("container_2", 1));
    KernelDecision dropped = decision(1, id(task), domain, 0);
    when(killer.decisionsSince(0)).thenReturn(List.of(dropped));
    guard.readKills();
    nanos += Duration.ofSeconds(6).toNanos();
    KernelDecision awaited = decision(2, id(other), domain, 0);
    when(killer.decisionsSince(0)).thenReturn(List.of(dropped, awaited));
    guard.readKills();
    guard.readKills();
    assertThat(events).isEmpty();

    when(killer.decisionsSince(1)).thenReturn(List.of(decision(2, id(other), domain, 1)));
    guard.readKills();
    guard.readKills();

    assertThat(events).singleElement().asString().startsWith("killed container_2");
  }

  @Test
  void aKillAfterADecisionThatIsNotCarriedOutYetIsToldAtOnceAndOnlyOnce() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    ContainerInfo other = started(ContainerInfos.bestEffort("container_2", 1));
    KernelDecision awaited = decision(1, id(task), domain, 0);
    KernelDecision kill = decision(2, id(other), domain, 1);
    when(killer.decisionsSince(0)).thenReturn(List.of(awaited, kill));

    guard.readKills();
    assertThat(events).singleElement().asString().startsWith("killed container_2");

    nanos += Duration.ofSeconds(6).toNanos();
    guard.readKills();
    guard.readKills();
    assertThat(events).hasSize(1);
    verify(killer).decisionsSince(2);
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
  void anUnrecordedReleaseIsAwaitedForALimitedTime() throws Exception {
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
    assertThat(registered).containsEntry(id, new ContainerRegistration(0, 0));

    Files.delete(service);
    guard.tick();
    assertThat(registered).isEmpty();
  }

  @Test
  void servicesWithAnEntitlementAreWatchedWithItAsItIsNow() throws Exception {
    Path mount = layout.memory().mountPoint();
    domain = CgroupId.of(mount);
    prepare(killer);
    long database = CgroupId.of(Files.createDirectories(mount.resolve("db/main.service")));
    long cache = CgroupId.of(Files.createDirectories(mount.resolve("cache.service")));
    guard = guard(List.of("/db/*.service"));

    entitled =
        List.of(
            new MemoryLimitSettings.Service("/db/*.service", 5_000),
            new MemoryLimitSettings.Service("/cache.service", Holder.ALL),
            new MemoryLimitSettings.Service("/charon*", 7),
            new MemoryLimitSettings.Service("/charon/*", 7));
    guard.tick();
    assertThat(registered)
        .as("the containers and what is above them are no services")
        .containsOnly(
            entry(database, new ContainerRegistration(0, 0, 5_000)),
            entry(cache, new ContainerRegistration(0, 0)));

    entitled = List.of(new MemoryLimitSettings.Service("/db/*.service", 6_000));
    guard.tick();
    assertThat(registered).containsOnly(entry(database, new ContainerRegistration(0, 0, 6_000)));
  }

  @Test
  void aServiceWithAnEntitlementOutsideTheDomainIsNotWatched() throws Exception {
    Files.createDirectories(layout.memory().mountPoint().resolve("db/main.service"));
    guard = guard(List.of());
    entitled = List.of(new MemoryLimitSettings.Service("/db/*.service", 5_000));

    guard.tick();

    assertThat(registered).isEmpty();
    assertThat(guard.inCharge()).isTrue();
  }

  @Test
  void aServiceThatIsNoLongerNamedAfterARestartIsNoLongerWatched() throws Exception {
    ContainerInfo found = ContainerInfos.production("container_1", 1);
    Files.createDirectories(directory(found));
    registered.put(id(found), new ContainerRegistration(0, 0, 1));
    left.put(id(found), "container_1");
    registered.put(77L, new ContainerRegistration(0, 0, 5_000)); // a service that was named before
    registered.put(78L, new ContainerRegistration(5, 0, 5_000)); // by hand
    guard = guard(List.of());

    guard.tick();
    assertThat(registered).containsOnlyKeys(id(found), 78L);

    registered.put(79L, new ContainerRegistration(0, 0, 5_000)); // somebody else's
    guard.tick();
    assertThat(registered).containsOnlyKeys(id(found), 78L, 79L);
  }

  @Test
  void whatAnEarlierNodeManagerRegisteredForAServiceIsWithdrawn() throws Exception {
    registered.put(77L, new ContainerRegistration(0, 0, 5_000));
    registered.put(78L, new ContainerRegistration(5, 0, 5_000));

    assertThat(guard.withdraw(Set.of())).isTrue();

    assertThat(registered).containsOnlyKeys(78L);
  }

  @Test
  void aServiceThatCannotBeWatchedIsNamedRetriedAndKeepsTheKillerFromNothing() throws Exception {
    Path refused = Files.createDirectories(root.resolve("cgroup/db/one.service"));
    long other = CgroupId.of(Files.createDirectories(root.resolve("cgroup/db/two.service")));
    refusals.put(CgroupId.of(refused), "it is not below the domain");
    guard = guard(List.of("/db/*.service"));

    guard.tick();
    guard.tick();

    assertThat(guard.inCharge()).isTrue();
    assertThat(guard.state().reason())
        .endsWith("; it does not watch " + refused + ": see the NodeManager's log");
    assertThat(registered).containsOnlyKeys(other);

    refusals.clear();
    guard.tick();
    assertThat(guard.state().reason()).doesNotContain("watch");
    assertThat(registered).containsOnlyKeys(other, CgroupId.of(refused));
  }

  @Test
  void noCgroupAboveOrBelowAServiceWithAnEntitlementIsWatchedByItself() throws Exception {
    Path mount = layout.memory().mountPoint();
    domain = CgroupId.of(mount);
    prepare(killer);
    Path outer = Files.createDirectories(mount.resolve("db"));
    Files.createDirectories(outer.resolve("main.service"));
    Files.createDirectories(outer.resolve("log.service"));
    Files.createDirectories(mount.resolve("all/cache.service"));
    guard = guard(List.of("/db/log.service", "/all"));
    entitled =
        List.of(
            new MemoryLimitSettings.Service("/db/main.service", 5_000),
            new MemoryLimitSettings.Service("/db", 7_000),
            new MemoryLimitSettings.Service("/all/cache.service", 3_000));

    guard.tick();

    assertThat(registered)
        .containsOnly(
            entry(CgroupId.of(outer), new ContainerRegistration(0, 0, 7_000)),
            entry(
                CgroupId.of(mount.resolve("all/cache.service")),
                new ContainerRegistration(0, 0, 3_000)));
  }

  private static Optional<KernelKillerException> notLoaded() {
    return Optional.of(new KernelKillerException("not loaded"));
  }

  @Test
  @Tag("must-never")
  void aPromotedContainerIsWatchedAndMayNotDieAnyMore() throws Exception {
    guard.tick();
    ContainerInfo bestEffort = started(bestEffort("container_1", "application_1_0001"));
    ContainerInfo promoted = promoted("container_1");
    nanos += 5_000;

    guard.changed(
        promoted,
        () -> {
          assertThat(registered).as("while its processes move nobody may kill it").isEmpty();
          return Optional.empty();
        });

    InOrder order = inOrder(killer);
    order.verify(killer).update(domain, Map.of(), Set.of(id(bestEffort)));
    order
        .verify(killer)
        .update(
            domain,
            Map.of(id(promoted), new ContainerRegistration(1_000, 0, promoted.requestedBytes())),
            List.of());
    assertThat(registered).containsOnlyKeys(id(promoted));
  }

  @Test
  void aResizedContainerIsEntitledToWhatItRequestsNow() throws Exception {
    guard.tick();
    ContainerInfo production = started(ContainerInfos.production("container_1", 100));
    nanos += 5_000;

    guard.resized(ContainerInfos.production("container_1", 300));
    guard.resized(ContainerInfos.production("container_2", 300));
    guard.tick();

    assertThat(registered)
        .containsOnly(Map.entry(id(production), new ContainerRegistration(1_000, 0, 300)));
  }

  @Test
  void whatOthersChangedInTheDomainIsRepairedAndWhatIsForeignIsReported() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    ContainerInfo other = started(ContainerInfos.production("container_2", 1));
    guard.tick();
    assertThat(guard.state().foreignRegistrations()).isZero();
    int before = registrations;
    guard.tick();
    assertThat(registrations).as("nothing differs").isEqualTo(before);

    registered.put(id(task), new ContainerRegistration(1_000, 900));
    registered.remove(id(other));
    registered.put(77L, new ContainerRegistration(1, 1));
    stored = new DomainSettings(Duration.ZERO, Policy.SCORE, Duration.ofSeconds(1));
    guard.tick();

    verify(killer).change(domain, WANTED);
    assertThat(registered)
        .containsEntry(id(task), new ContainerRegistration(1_000, 1))
        .containsEntry(id(other), new ContainerRegistration(1_000, 0, 1))
        .containsKey(77L);
    assertThat(guard.state().foreignRegistrations()).isEqualTo(1);
    assertThat(guard.state().reason()).endsWith("1 registrations are not from this NodeManager");
    assertThat(guard.inCharge()).isTrue();

    registered.remove(77L);
    registered.put(id(other), new ContainerRegistration(1_000, 0, 1 << 30));
    guard.tick();
    assertThat(guard.state().foreignRegistrations()).isZero();
    assertThat(registered).containsEntry(id(other), new ContainerRegistration(1_000, 0, 1));
  }

  @Test
  void foreignRegistrationsRaiseTheirAlert() throws Exception {
    PrometheusText page = page();
    guard.tick();
    AlertTimeline timeline =
        new AlertTimeline(promtool, Duration.ofMinutes(1))
            .scrape(page)
            .holdFor(Duration.ofHours(1))
            .assertQuiet();

    registered.put(77L, new ContainerRegistration(1, 1));
    guard.tick();

    timeline.scrape(page).holdFor(Duration.ofMinutes(10)).assertFires("CharonForeignRegistrations");
  }

  @Test
  void aRefusedContainerIsRetriedAndDoesNotBlockOthers() throws Exception {
    guard.tick();
    long refused = id(started(ContainerInfos.bestEffort("container_1", 1)));
    registered.remove(refused);
    clearInvocations(killer);
    when(killer.update(eq(domain), any(), any())).thenReturn(Map.of(refused, "the table is full"));
    guard.tick();
    guard.tick();
    verify(killer, times(2))
        .update(domain, Map.of(refused, new ContainerRegistration(1_000, 1)), List.of());
  }

  @Test
  void aHelperThatDoesNotAnswerIsNotInChargeAndIsAskedAgainAtTheNextTick() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    KernelKiller other = mock(KernelKiller.class);
    prepare(other);
    loaded = other;
    when(killer.isCurrent()).thenThrow(notLoaded().orElseThrow());
    guard.tick();

    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).isEqualTo("not loaded");
    verify(killer).close();
    verify(other, never()).domains();

    registered.clear();
    guard.tick();
    assertThat(registered).containsOnlyKeys(id(task));
    assertThat(guard.state().reason()).contains("to be confirmed at the next tick");
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
  }

  @Test
  void aCheckThatFailsCostsTheChargeAtOnce() throws Exception {
    KernelKillerException failure = new KernelKillerException("no answer");
    guard.tick();
    assertThat(guard.inCharge()).isTrue();

    when(killer.registrations(domain)).thenThrow(failure);
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).isEqualTo("cannot read the registrations: no answer");

    theKillerAnswersAtTheNextTick();
    guard.tick();
    assertThat(guard.inCharge()).isTrue();
    stored = new DomainSettings(Duration.ZERO, Policy.SCORE, Duration.ofSeconds(1));
    doThrow(failure).when(killer).change(anyLong(), any());
    guard.tick();
    assertThat(guard.inCharge()).isFalse();
    assertThat(guard.state().reason()).isEqualTo("its helper does not answer: no answer");
  }

  @Test
  void aKillJustBeforeAPromotionIsTold() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    when(killer.decisionsSince(0)).thenReturn(List.of(decision(1, id(task), domain)));

    guard.changed(promoted("container_1"), Optional::empty);

    assertThat(events).singleElement().asString().startsWith("killed container_1");
  }

  @Test
  void theHelperMovesWhatThisNodeManagerCouldNot() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    Path left = directory(task);
    long cgroup = id(task);
    Path nested = Files.createDirectories(left.resolve("nested"));
    Files.writeString(left.resolve("cgroup.procs"), "");
    Files.writeString(nested.resolve("cgroup.procs"), "71\n");
    ContainerInfo promoted = ContainerInfos.production("container_1", 1);
    Path entered = Files.createDirectories(directory(promoted));
    when(killer.move(domain, cgroup))
        .thenAnswer(
            asked -> {
              assertThat(entered).as("the helper makes its own").doesNotExist();
              Files.createDirectories(entered);
              return 1;
            });

    guard.changed(promoted, Optional::empty);

    verify(killer).move(domain, cgroup);
    assertThat(registered).containsOnlyKeys(id(promoted));
  }

  @Test
  void whereTheHelperMovesNothingThePromotedContainerIsStillWatched() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    Files.writeString(directory(task).resolve("cgroup.procs"), "71\n");
    ContainerInfo promoted = promoted("container_1");
    when(killer.move(anyLong(), anyLong())).thenThrow(new KernelKillerException("no place"));

    assertThat(guard.changed(promoted, Optional::empty))
        .hasValueSatisfying(reason -> assertThat(reason).endsWith("no place"));

    assertThat(registered).containsOnlyKeys(id(promoted));
  }

  @Test
  @Tag("must-never")
  void aPromotedContainerThatCannotBeUnregisteredIsUnregisteredAtTheNextTick() throws Exception {
    guard.tick();
    started(ContainerInfos.bestEffort("container_1", 1));
    ContainerInfo promoted = promoted("container_1");
    when(killer.update(anyLong(), any(), any())).thenThrow(new KernelKillerException("no answer"));
    guard.changed(promoted, Optional::empty);
    assertThat(registered).doesNotContainKey(id(promoted));

    theKillerAnswersAtTheNextTick();

    assertThat(registered).containsOnlyKeys(id(promoted));
  }

  @Test
  @Tag("must-never")
  void aPromotedContainerWhoseRegistrationGotNoReplyIsNotKillable() throws Exception {
    guard.tick();
    repliesAreLost();
    started(ContainerInfos.bestEffort("container_1", 1));
    ContainerInfo promoted = promoted("container_1");

    guard.changed(promoted, Optional::empty);
    theKillerAnswersAtTheNextTick();

    assertThat(registered).containsOnlyKeys(id(promoted));
  }

  @Test
  @Tag("must-never")
  void aContainerWhoseRegistrationGotNoReplyIsNotKillableAfterAPromotionWithoutAHelper()
      throws Exception {
    guard.tick();
    repliesAreLost();
    started(ContainerInfos.bestEffort("container_1", 1));
    ContainerInfo promoted = promoted("container_1");
    refusal = notLoaded();
    when(killer.isCurrent()).thenReturn(false);
    guard.tick();
    guard.changed(promoted, Optional::empty);

    refusal = Optional.empty();
    theKillerAnswersAtTheNextTick();

    assertThat(registered).containsOnlyKeys(id(promoted));
  }

  @Test
  void aRegistrationThatGotNoReplyIsWithdrawn() throws Exception {
    guard.tick();
    repliesAreLost();
    started(ContainerInfos.bestEffort("container_1", 1));
    reset(killer);
    prepare(killer);

    assertThat(guard.withdraw(Set.of())).isTrue();

    assertThat(registered).isEmpty();
  }

  @Test
  void theRegistrationOfAReacquiredContainerIsWithdrawnBeforeTheFirstTick() throws Exception {
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    registered.put(id(task), new ContainerRegistration(1, 1)); // from an earlier NodeManager

    assertThat(guard.withdraw(Set.of())).isTrue();

    assertThat(registered).isEmpty();
  }

  @Test
  @Tag("must-never")
  void aContainerThatIsPromotedWhileTheHelperIsAwayIsNotKillableAfterItsReturn() throws Exception {
    guard.tick();
    started(ContainerInfos.bestEffort("container_1", 1));
    ContainerInfo promoted = promoted("container_1");
    refusal = notLoaded();
    when(killer.isCurrent()).thenReturn(false);
    guard.tick();
    guard.changed(promoted, Optional::empty);

    refusal = Optional.empty();
    guard.tick();

    assertThat(registered).containsOnlyKeys(id(promoted));
  }

  @Test
  @Tag("must-never")
  void aContainerPromotedBeforeARestartOfTheNodeManagerIsNotKillableAfterIt() throws Exception {
    ContainerInfo before = ContainerInfos.bestEffort("container_1", 1);
    ContainerInfo promoted = promoted("container_1");
    Files.createDirectories(directory(before));
    left.put(id(before), "container_1");
    left.put(id(promoted), "container_1");
    registered.put(id(before), new ContainerRegistration(1, 1));
    guard = guard(List.of());

    guard.reacquired(promoted);
    guard.tick();

    assertThat(registered).containsOnlyKeys(id(promoted));
    assertThat(guard.state().foreignRegistrations()).isZero();
  }

  @Test
  void aProcessThatLeftBestEffortByItselfNeedsNoHelper() throws Exception {
    guard.tick();
    ContainerInfo task = started(ContainerInfos.bestEffort("container_1", 1));
    Files.writeString(directory(task).resolve("cgroup.procs"), "");
    ContainerInfo promoted = promoted("container_1");

    guard.changed(promoted, Optional::empty);
    Files.writeString(directory(promoted).resolve("cgroup.procs"), "71\n");
    guard.changed(task, Optional::empty);

    verify(killer, never()).move(anyLong(), anyLong());
  }

  private void theKillerAnswersAtTheNextTick() throws Exception {
    reset(killer);
    prepare(killer);
    guard.tick();
  }

  /** Lets the killer register containers and lose its replies; it refuses all that follows. */
  private void repliesAreLost() throws KernelKillerException {
    when(killer.update(eq(domain), any(), any()))
        .thenAnswer(
            asked -> {
              registered.putAll(asked.getArgument(1));
              throw new KernelKillerException("no reply");
            })
        .thenThrow(new KernelKillerException("the connection was closed"));
  }

  private KernelKillerAdapter guard(List<String> services) {
    return guard(services, WANTED);
  }

  private KernelKillerAdapter guard(List<String> services, DomainSettings wanted) {
    return guard(WatchedCgroups.own(layout), services, wanted);
  }

  private KernelKillerAdapter guard(
      WatchedCgroups watched, List<String> services, DomainSettings wanted) {
    return new KernelKillerAdapter(
        new KernelKillerConnection(this::open, watched, wanted),
        new KernelRegistrations(
            watched.places(),
            new WatchedServices(watched, services, () -> entitled),
            left.keySet()),
        new Obstacles(new TasksInReach(() -> running, () -> outside)),
        new EarlierKills(left),
        new Promotions(layout),
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

  /** Returns the metrics of a node that this adapter protects. */
  private PrometheusText page() {
    NodeMetrics metrics = new NodeMetrics();
    StatusReporter reporter =
        new StatusReporter(
            new StatusSource(
                TestSettings::of,
                metrics,
                new StatusSource.Containers(
                    new ContainerLedger(),
                    new PlacedContainers(),
                    ContainerPlaces.Outside::none,
                    () -> true,
                    id -> OptionalInt.empty()),
                new StatusSource.Launches(
                    Optional::empty, // mode off: without the user-space killer
                    Optional::empty,
                    Optional::empty,
                    List::of),
                new StatusSource.Killers(
                    () -> Optional.of(guard.state()), () -> true, new KillLog()),
                new StatusSource.Mechanisms(
                    List::of,
                    Optional::empty,
                    () -> new FreezeState(RegulatorMode.OFF, Optional.empty(), Map.of()),
                    new StatusSource.Tick(() -> 0, Optional::empty)),
                Optional::empty,
                StopState::notStopped));
    reporter.observed(Optional.of(new NodeMemory(1000, 900)));
    return new PrometheusText(metrics::read);
  }

  private ContainerInfo started(ContainerInfo info) throws IOException {
    Files.createDirectories(directory(info));
    guard.started(info);
    return info;
  }

  /** Creates the production cgroup of a container that YARN has promoted. */
  private ContainerInfo promoted(String id) throws IOException {
    ContainerInfo promoted = ContainerInfos.production(id, 1);
    Files.createDirectories(directory(promoted));
    return promoted;
  }

  private static ContainerInfo bestEffort(String id, String application) {
    return new ContainerInfo(
        id,
        new Owner("alice", application),
        ExecutionType.OPPORTUNISTIC,
        false,
        new JobKey("job"),
        1,
        1);
  }

  private Path directory(ContainerInfo info) {
    return layout.containerDirectory(layout.memory(), info.containerClass(), info.containerId());
  }

  private long id(ContainerInfo info) throws IOException {
    return CgroupId.of(directory(info));
  }

  private KernelDecision decision(long sequence, long victim, long ofDomain) {
    return decision(sequence, victim, ofDomain, 1);
  }

  private KernelDecision decision(long sequence, long victim, long ofDomain, int signals) {
    return new KernelDecision(
        sequence,
        ofDomain,
        nanos,
        new KernelDecision.Trigger(
            victim, KernelDecision.Series.ANONYMOUS, 3_020_000_000L, 3_000_000_000L),
        new KernelDecision.Victim(victim, 5, Policy.MEMORY_PER_TIME, List.of()),
        new KernelDecision.Execution(signals, OptionalLong.empty(), Optional.empty()));
  }

  private static KernelDecision released(KernelDecision decision) {
    return new KernelDecision(
        decision.sequence(),
        decision.domain(),
        decision.decisionNanos(),
        decision.trigger(),
        decision.victim(),
        new KernelDecision.Execution(
            decision.execution().signals(),
            decision.execution().lastSignalNanos(),
            Optional.of(
                new KernelDecision.Release(
                    decision.decisionNanos() + 7_000_000, decision.decisionNanos() + 8_000_000))));
  }

  private ContainerSample sample(long beforeNanos) {
    return new ContainerSample(nanos + beforeNanos, 1, 1, 1, true);
  }
}
