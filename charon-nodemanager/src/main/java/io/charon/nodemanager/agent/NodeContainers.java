/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.nodemanager.container.AdoptedContainers;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerPlaces;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.mechanisms.freeze.Phase;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.launch.LaunchView;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The containers of a node as those who decide ask for them, put together from Charon's books and
 * from what YARN says. Thread-safe.
 */
final class NodeContainers {
  private final ContainerLedger ledger;
  private final PlacedContainers placed;
  private final NodeLaunches launches;
  private final DyingContainers dying;
  private final YarnSide yarn;
  private final BooleanSupplier withoutCgroups;
  private final ContainerCgroups cgroups;
  private final Optional<AdoptedContainers> adopted;
  private final Optional<ContainerPlaces> places;

  /**
   * Knows what the books say.
   *
   * @param ledger what is known of those that run
   * @param placed which of them have their place from Charon
   * @param launches which best-effort ones run by Charon's decision
   * @param dying which were killed
   * @param yarn what YARN says of them
   * @param withoutCgroups whether Charon would give them cgroups now, and has none
   * @param cgroups where theirs are, or would be
   * @param adopted looks after those whose cgroups others make, if others do
   */
  NodeContainers(
      ContainerLedger ledger,
      PlacedContainers placed,
      NodeLaunches launches,
      DyingContainers dying,
      YarnSide yarn,
      BooleanSupplier withoutCgroups,
      ContainerCgroups cgroups,
      Optional<AdoptedContainers> adopted) {
    this.cgroups = cgroups;
    this.adopted = adopted;
    this.ledger = ledger;
    this.placed = placed;
    this.launches = launches;
    this.dying = dying;
    this.yarn = yarn;
    this.withoutCgroups = withoutCgroups;
    this.places =
        cgroups
            .possible()
            .map(
                layout ->
                    new ContainerPlaces(
                        layout, System.getProperty("user.name"), this::all, yarn::rootProcesses));
  }

  /** All that run. */
  Collection<ContainerInfo> all() {
    return ledger.entries().stream().map(ContainerLedger.Entry::info).toList();
  }

  /** Those whose memory is in a cgroup that Charon made or adopted. */
  List<ContainerInfo> withCgroups() {
    return all().stream().filter(this::hasCgroup).toList();
  }

  private boolean hasCgroup(ContainerInfo container) {
    String id = container.containerId();
    return cgroups.has(id) || adopted.map(others -> others.memory().containsKey(id)).orElse(false);
  }

  /** The best-effort ones that run by Charon's decision, oldest first. */
  BestEffortTasks tasks() {
    return new BestEffortTasks(
        runningOldestFirst()
            .map(
                entry ->
                    new BestEffortTasks.Task(
                        entry.info().containerId(),
                        entry.workingSetBytes(),
                        dying.isEnding(entry.info().containerId()),
                        entry.info().priority(),
                        entry.info().requestedCores(),
                        !entry.info().applicationMaster()))
            .toList());
  }

  /**
   * Their ids, without ApplicationMasters: with such a one a whole job would have to begin anew.
   */
  List<String> taskIds() {
    return runningOldestFirst()
        .map(ContainerLedger.Entry::info)
        .filter(container -> !container.applicationMaster())
        .map(ContainerInfo::containerId)
        .toList();
  }

  private Stream<ContainerLedger.Entry> runningOldestFirst() {
    return launches.gate().map(LaunchGate::runningOldestFirst).orElse(List.of()).stream()
        .flatMap(id -> ledger.find(id).stream())
        .filter(entry -> entry.info().executionType() == ExecutionType.OPPORTUNISTIC);
  }

  /** The same, as somebody who needs memory sees them. */
  KillCandidates killCandidates() {
    return new KillCandidates(
        launches.gate().map(gate -> gate.view().running()).orElse(List.of()).stream()
            .flatMap(running -> killCandidate(running).stream())
            .toList());
  }

  private Optional<KillCandidates.KillCandidate> killCandidate(LaunchView.Running running) {
    String id = running.container().request().containerId();
    return ledger
        .find(id)
        .map(
            entry ->
                new KillCandidates.KillCandidate(
                    id,
                    entry.workingSetBytes(),
                    TimeUnit.NANOSECONDS.toMillis(Math.max(0, running.runningNanos())),
                    !entry.info().applicationMaster(),
                    dying.contains(id)));
  }

  /** What production containers asked for, bytes by container id; those left alone apart. */
  Map<String, Long> productionReservations() {
    return production()
        .collect(Collectors.toMap(ContainerInfo::containerId, ContainerInfo::requestedBytes));
  }

  /** Processors that they asked for, vcores by container id. */
  Map<String, Integer> productionCores() {
    return production()
        .collect(Collectors.toMap(ContainerInfo::containerId, ContainerInfo::requestedCores));
  }

  private Stream<ContainerInfo> production() {
    return all().stream()
        .filter(container -> container.executionType() == ExecutionType.GUARANTEED)
        .filter(container -> !placed.isUntouched(container.containerId()));
  }

  /** Working sets of all best-effort containers, bytes. */
  long bestEffortBytes() {
    return ledger.bestEffortWorkingSets().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Those in YARN's queue that have not started. */
  List<LaunchRequest> waiting() {
    return yarn.waiting().stream()
        .filter(container -> ledger.find(container.containerId()).isEmpty())
        .map(ContainerInfo::launchRequest)
        .toList();
  }

  /** One that has no place of Charon's is none to freeze or thaw. */
  Phase phase(String containerId) {
    return placed.isUntouched(containerId) ? Phase.STARTING : phaseOfYarn(containerId);
  }

  /** One that has no place of Charon's can be killed, and not be frozen. */
  Phase phaseForStop(String containerId) {
    Phase phase = phaseOfYarn(containerId);
    return phase == Phase.RUNNING && placed.isUntouched(containerId) ? Phase.PAUSED : phase;
  }

  /** One that somebody killed is on its way out, whatever YARN knows of it yet. */
  private Phase phaseOfYarn(String containerId) {
    boolean killed =
        ledger.find(containerId).flatMap(ContainerLedger.Entry::killReason).isPresent();
    return killed ? Phase.ENDING : yarn.phase(containerId);
  }

  /** Looks where they run. */
  void lookWhereTheyAre() {
    places.ifPresent(ContainerPlaces::look);
    adopted.ifPresent(AdoptedContainers::look);
  }

  /** Who runs outside of its cgroup. */
  ContainerPlaces.Outside outside() {
    return places
        .map(ContainerPlaces::outside)
        .or(() -> adopted.map(AdoptedContainers::outside))
        .orElse(ContainerPlaces.Outside.nobody());
  }

  /** First processes of those that are in no cgroup of their own to be measured by. */
  Map<String, Long> processesOutside() {
    if (adopted.isPresent() && places.isEmpty()) {
      Map<String, Long> processes = new HashMap<>(yarn.rootProcesses());
      processes.keySet().removeAll(adopted.get().memory().keySet());
      return processes;
    }
    if (withoutCgroups.getAsBoolean()) {
      return yarn.rootProcesses();
    }
    Set<String> elsewhere = new HashSet<>(placed.untouched());
    elsewhere.addAll(outside().places().keySet());
    if (elsewhere.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> processes = new HashMap<>(yarn.rootProcesses());
    processes.keySet().retainAll(elsewhere);
    return processes;
  }
}
