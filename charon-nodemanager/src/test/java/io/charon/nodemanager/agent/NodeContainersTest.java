/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.WorkingSet;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.ThresholdLaunchPolicy;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class NodeContainersTest {
  private final ContainerLedger ledger = new ContainerLedger();
  private final LaunchGate gate =
      new LaunchGate(
          new LocalScheduler(
              new LaunchQueue(5), new PeakProfile(20, 95), new ThresholdLaunchPolicy(10)),
          Duration.ofDays(1),
          System::nanoTime,
          Clock.systemUTC(),
          nanos -> {},
          "");
  private boolean decides = true;

  /** The ledger learns of a promotion before the gate does. */
  @Test
  @Tag("must-never")
  void oneThatWasPromotedIsNoCandidateForAKillThoughTheGateDoesNotKnowYet() {
    gate.adopt(ContainerInfos.bestEffort("c1", 1).launchRequest());
    gate.adopt(ContainerInfos.bestEffort("c2", 1).launchRequest());
    ledger.started(ContainerInfos.production("c1", 1));
    ledger.started(ContainerInfos.bestEffort("c2", 1));

    assertThat(containers().killCandidates().all())
        .extracting(KillCandidates.KillCandidate::id)
        .containsExactly("c2");
  }

  /** Its end would give the others no CPU time, but memory. */
  @Test
  void aFrozenContainerAsksForNoProcessors() {
    for (String id : List.of("c1", "c2")) {
      gate.adopt(ContainerInfos.bestEffort(id, 1).launchRequest());
      ledger.started(ContainerInfos.bestEffort(id, 1));
    }
    ledger.measured(Map.of("c1", WorkingSet.of(7), "c2", WorkingSet.of(7)));

    assertThat(containers().tasks("c1"::equals).oldestFirst())
        .containsExactly(
            new BestEffortTasks.Task("c1", WorkingSet.of(7), false, 0, 0, true),
            new BestEffortTasks.Task("c2", WorkingSet.of(7), false, 0, 1, true));
  }

  /** Its death would restart its whole job; the memory of best-effort includes its own. */
  @Test
  @Tag("must-never")
  void anApplicationMasterThatIsBestEffortIsNeitherKilledNorEvicted() {
    ContainerInfo task = ContainerInfos.bestEffort("task", 1);
    ContainerInfo master =
        new ContainerInfo(
            "master", task.owner(), ExecutionType.OPPORTUNISTIC, true, task.job(), 1, 1);
    for (ContainerInfo container : List.of(task, master)) {
      gate.adopt(container.launchRequest());
      ledger.started(container);
    }

    assertThat(containers().taskIds()).containsExactly("task");
    assertThat(containers().tasks(id -> false).oldestFirst())
        .extracting(BestEffortTasks.Task::id, BestEffortTasks.Task::mortal)
        .containsExactly(tuple("task", true), tuple("master", false));
    assertThat(containers().killCandidates().all())
        .extracting(KillCandidates.KillCandidate::id, KillCandidates.KillCandidate::mortal)
        .containsExactlyInAnyOrder(tuple("task", true), tuple("master", false));
  }

  /** A stop acts on the containers, mechanisms only report which ones they would kill. */
  @Test
  @Tag("must-never")
  void whereNothingIsCarriedOutMechanismsSeeTheContainersAndAStopDoesNot() {
    decides = false;
    gate.adopt(ContainerInfos.bestEffort("c1", 1).launchRequest());
    ledger.started(ContainerInfos.bestEffort("c1", 1));

    assertThat(containers().tasks(id -> false).oldestFirst()).hasSize(1);
    assertThat(containers().killCandidates().all()).hasSize(1);
    assertThat(containers().taskIds()).isEmpty();
  }

  private NodeContainers containers() {
    NodeLaunches launches = mock(NodeLaunches.class);
    when(launches.gate()).thenReturn(Optional.of(gate).filter(known -> decides));
    when(launches.learning()).thenReturn(Optional.of(gate));
    return new NodeContainers(
        ledger,
        new PlacedContainers(),
        launches,
        new DyingContainers(System::nanoTime, () -> {}),
        new FakeYarn(),
        () -> false,
        mock(ContainerCgroups.class),
        Optional.empty());
  }
}
