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
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.execution.DyingContainers;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The containers of a node in the forms that the deciding parts need, combined from Charon's ledger
 * and from YARN's state. Thread-safe.
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
   * Creates a view of the ledger and of YARN's state.
   *
   * @param ledger the running containers
   * @param placed records which of them Charon placed
   * @param launches provides the launch gate, which knows the running best-effort containers
   * @param dying the containers that were killed and have not ended
   * @param yarn YARN's state of the containers
   * @param withoutCgroups whether Charon should give containers cgroups now but cannot
   * @param cgroups where Charon's cgroups are, or would be
   * @param adopted manages containers whose cgroups Charon adopts; empty if it adopts none
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

  /** Returns all running containers. */
  Collection<ContainerInfo> all() {
    return ledger.entries().stream().map(ContainerLedger.Entry::info).toList();
  }

  /** Returns the containers whose memory is in a cgroup that Charon created or adopted. */
  List<ContainerInfo> withCgroups() {
    return all().stream().filter(this::hasCgroup).toList();
  }

  private boolean hasCgroup(ContainerInfo container) {
    String id = container.containerId();
    return cgroups.has(id) || adopted.map(others -> others.memory().containsKey(id)).orElse(false);
  }

  /**
   * Returns the running best-effort containers of the launch gate, oldest first, also of one that
   * only observes: mechanisms then report which of them they would end.
   *
   * @param frozen whether a container is frozen: it asks for no processors, and its end releases
   *     none
   */
  BestEffortTasks tasks(Predicate<String> frozen) {
    return new BestEffortTasks(
        runningOldestFirst(launches.learning())
            .map(
                entry ->
                    new BestEffortTasks.Task(
                        entry.info().containerId(),
                        entry.workingSet(),
                        dying.isEnding(entry.info().containerId()),
                        entry.info().priority(),
                        frozen.test(entry.info().containerId()) ? 0 : entry.info().requestedCores(),
                        !entry.info().applicationMaster()))
            .toList());
  }

  /**
   * Returns the ids of the running best-effort containers of the launch gate, if it decides,
   * without ApplicationMasters, because killing an ApplicationMaster would restart its whole job.
   */
  List<String> taskIds() {
    return runningOldestFirst(launches.gate())
        .map(ContainerLedger.Entry::info)
        .filter(container -> !container.applicationMaster())
        .map(ContainerInfo::containerId)
        .toList();
  }

  private Stream<ContainerLedger.Entry> runningOldestFirst(Optional<LaunchGate> gate) {
    return gate.map(LaunchGate::runningOldestFirst).orElse(List.of()).stream()
        .flatMap(id -> ledger.find(id).stream())
        .filter(ContainerLedger.Entry::isBestEffort);
  }

  /**
   * Returns the running best-effort containers of the launch gate, also of one that only observes,
   * as candidates for a kill that frees memory.
   */
  KillCandidates killCandidates() {
    return new KillCandidates(
        launches.learning().map(gate -> gate.view().running()).orElse(List.of()).stream()
            .flatMap(running -> killCandidate(running).stream())
            .toList());
  }

  private Optional<KillCandidates.KillCandidate> killCandidate(LaunchView.Running running) {
    String id = running.container().request().containerId();
    return ledger
        .find(id)
        .filter(ContainerLedger.Entry::isBestEffort)
        .map(
            entry ->
                new KillCandidates.KillCandidate(
                    id,
                    entry.workingSet(),
                    TimeUnit.NANOSECONDS.toMillis(Math.max(0, running.runningNanos())),
                    !entry.info().applicationMaster(),
                    dying.contains(id)));
  }

  /**
   * Returns the requests of the production containers in bytes, by container id, without untouched
   * containers.
   */
  Map<String, Long> productionReservations() {
    return production()
        .collect(Collectors.toMap(ContainerInfo::containerId, ContainerInfo::requestedBytes));
  }

  /**
   * Returns the processors that production containers requested in vcores, by container id, without
   * untouched containers.
   */
  Map<String, Integer> productionCores() {
    return production()
        .collect(Collectors.toMap(ContainerInfo::containerId, ContainerInfo::requestedCores));
  }

  private Stream<ContainerInfo> production() {
    return all().stream()
        .filter(container -> container.executionType() == ExecutionType.GUARANTEED)
        .filter(container -> !placed.isUntouched(container.containerId()));
  }

  /** Returns the containers in YARN's queue that have not started. */
  List<LaunchRequest> waiting() {
    return yarn.waiting().stream()
        .filter(container -> ledger.find(container.containerId()).isEmpty())
        .map(ContainerInfo::launchRequest)
        .toList();
  }

  /**
   * Returns the phase of a container for freezing; an untouched container counts as starting, so
   * that it is neither frozen nor thawed. Where nothing is carried out, no container is touched,
   * and all count.
   */
  Phase phase(String containerId) {
    boolean acts = launches.gate().isPresent();
    return acts && placed.isUntouched(containerId) ? Phase.STARTING : phaseOfYarn(containerId);
  }

  /**
   * Returns the phase of a container for a stop; an untouched running container counts as frozen,
   * because it can be killed but not frozen.
   */
  Phase phaseForStop(String containerId) {
    Phase phase = phaseOfYarn(containerId);
    return phase == Phase.RUNNING && placed.isUntouched(containerId) ? Phase.PAUSED : phase;
  }

  /**
   * Returns the phase by YARN's state, except that a killed container counts as ending even if YARN
   * does not know of the kill yet.
   */
  private Phase phaseOfYarn(String containerId) {
    boolean killed =
        ledger.find(containerId).flatMap(ContainerLedger.Entry::killReason).isPresent();
    return killed ? Phase.ENDING : yarn.phase(containerId);
  }

  /** Updates in which cgroups the containers run. */
  void updateLocations() {
    places.ifPresent(ContainerPlaces::update);
    adopted.ifPresent(AdoptedContainers::update);
  }

  /** Returns the containers that run outside their cgroups. */
  ContainerPlaces.Outside outside() {
    return places
        .map(ContainerPlaces::outside)
        .or(() -> adopted.map(AdoptedContainers::outside))
        .orElse(ContainerPlaces.Outside.none());
  }

  /**
   * Returns the first processes of containers that have no cgroup by which they could be measured,
   * by container id.
   */
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
