/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.MemoryLimitSettings;
import io.charon.nodemanager.container.AdoptedContainers;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.IdleDisk;
import io.charon.nodemanager.container.OomScores;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.mechanisms.kill.KernelKillerAdapter;
import io.charon.nodemanager.mechanisms.kill.KillBookkeeper;
import io.charon.nodemanager.mechanisms.kill.LinuxOomKills;
import io.charon.nodemanager.mechanisms.kill.NodeKillers;
import io.charon.nodemanager.mechanisms.kill.WatchedCgroups;
import io.charon.nodemanager.mechanisms.kill.WatchedServices;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.metrics.NodeMetric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.sensor.AdoptedMemoryPlaces;
import io.charon.nodemanager.sensor.AdoptedMemorySensor;
import io.charon.nodemanager.sensor.MemoryPlaces;
import io.charon.nodemanager.sensor.NodeSensors;
import io.charon.nodemanager.sensor.ProcessTreeMemorySensor;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The isolation of a node's containers: OOM scores, I/O classes and cgroups, which Charon creates
 * ({@code own}), adopts ({@code attach}), or creates in addition to those that it adopts ({@code
 * beside}).
 */
final class NodeIsolation {
  private static final Logger LOG = LoggerFactory.getLogger(NodeIsolation.class);

  private final CharonSettings wanted;
  private final Surroundings surroundings;
  private final NodeMetrics metrics;
  private final AdoptedContainers.Known known;
  private final ContainerCgroups cgroups;
  private final OomScores scores;
  private final IdleDisk disk;
  private final Optional<AdoptedContainers> adopted;
  private final Map<Long, String> left;

  /**
   * Detects what this machine offers; creates nothing.
   *
   * @param wanted the operator's settings
   * @param surroundings the machine
   * @param metrics counts failures
   * @param known the node's knowledge of its containers
   */
  NodeIsolation(
      CharonSettings wanted,
      Surroundings surroundings,
      NodeMetrics metrics,
      AdoptedContainers.Known known) {
    this.wanted = wanted;
    this.surroundings = surroundings;
    this.metrics = metrics;
    this.known = known;
    this.cgroups =
        ContainerCgroups.open(
            wanted.placement(),
            surroundings.procRoot(),
            metrics.toleratedFailures(),
            surroundings.nanoClock());
    this.scores = new OomScores(surroundings.procRoot(), wanted.placement().processes());
    this.disk =
        wanted.placement().processes().idleDisk()
            ? IdleDisk.find(surroundings.procRoot())
            : IdleDisk.notWanted(surroundings.procRoot());
    boolean nothingToAdopt =
        cgroups.possible().isPresent() && !wanted.placement().isolation().yarnSetsWeights();
    this.adopted =
        nothingToAdopt
            ? Optional.empty()
            : AdoptedContainers.open(
                wanted.placement(),
                surroundings.procRoot(),
                cgroups.possible().isEmpty(),
                known,
                scores,
                disk,
                metrics.toleratedFailures(),
                surroundings.nanoClock());
    this.left = adoptedOnly().map(AdoptedContainers::survivors).orElseGet(cgroups::survivors);
    metrics.gauge(
        NodeMetric.CGROUP_WARNINGS,
        () -> cgroups.warnings() + adopted.map(AdoptedContainers::warnings).orElse(0L));
  }

  /** Returns the cgroups that Charon creates; they are not in use where Charon only adopts. */
  ContainerCgroups cgroups() {
    return cgroups;
  }

  /** Returns the manager of adopted cgroups; empty if Charon adopts none. */
  Optional<AdoptedContainers> adopted() {
    return adopted;
  }

  /**
   * Creates the sensors of the node and its containers.
   *
   * @param outside the first process of each container that has no cgroup by which it could be
   *     measured
   */
  NodeSensors sensors(Supplier<Map<String, Long>> outside) {
    return adoptedOnly()
        .map(others -> new AdoptedMemorySensor(others.layout(), others::memory))
        .map(sensor -> NodeSensors.attached(wanted, surroundings.procRoot(), sensor, outside))
        .orElseGet(
            () -> NodeSensors.open(wanted, surroundings.procRoot(), cgroups.possible(), outside));
  }

  /**
   * Returns the containers that an earlier NodeManager left running, by the id of their memory
   * cgroup.
   */
  Map<Long, String> survivors() {
    return left;
  }

  /**
   * Creates the adapter of the kernel killer for this node. In other modes than {@code enforce} it
   * removes what an earlier NodeManager registered.
   *
   * @param now the settings with which it begins
   * @param inForce the settings in force at any time
   * @param containers the containers of the node
   * @param kills notified of every victim
   * @return empty if the kernel killer is not wanted or containers have no cgroups
   */
  Optional<KernelKillerAdapter> kernelKillerAdapter(
      CharonSettings now,
      Supplier<CharonSettings> inForce,
      NodeContainers containers,
      KillBookkeeper kills) {
    return now.killers()
        .kernel()
        .flatMap(
            rule ->
                (now.places() ? cgroups.layout() : cgroups.possible())
                    .map(
                        layout ->
                            guard(
                                rule,
                                layout,
                                WatchedCgroups.own(layout),
                                inForce,
                                containers,
                                kills))
                    .or(
                        () ->
                            adoptedOnly()
                                .map(
                                    others ->
                                        guard(
                                            rule,
                                            others.layout(),
                                            watched(others),
                                            inForce,
                                            containers,
                                            kills))));
  }

  private static WatchedCgroups watched(AdoptedContainers others) {
    return WatchedCgroups.adopted(
        others.layout(), info -> Optional.ofNullable(others.memory().get(info.containerId())));
  }

  private KernelKillerAdapter guard(
      KernelKillerSettings rule,
      CgroupLayout layout,
      WatchedCgroups watched,
      Supplier<CharonSettings> inForce,
      NodeContainers containers,
      KillBookkeeper kills) {
    return KernelKillerAdapter.of(
        rule,
        layout,
        watched,
        new WatchedServices(
            watched,
            rule.watchedCgroups(),
            () -> entitledServices(inForce.get().regulators().memoryLimit())),
        left,
        containers::all,
        containers::outside,
        kills,
        surroundings.nanoClock());
  }

  /** Returns the services for which best-effort may die: none unless the memory limit acts. */
  private static List<MemoryLimitSettings.Service> entitledServices(MemoryLimitSettings limit) {
    return limit.mode() == RegulatorMode.ENFORCE ? limit.services() : List.of();
  }

  /** Returns the manager of adopted cgroups where Charon creates none itself. */
  private Optional<AdoptedContainers> adoptedOnly() {
    return adopted.filter(others -> cgroups.possible().isEmpty());
  }

  /**
   * Returns where the memory of containers is counted, if YARN or a container engine creates the
   * cgroups that count it.
   */
  Optional<MemoryPlaces> memoryPlaces() {
    return adopted
        .filter(others -> wanted.placement().isolation().memoryCountedByOthers())
        .map(
            others -> new AdoptedMemoryPlaces(others.layout(), others::memory, others::bestEffort));
  }

  /**
   * Creates the placement of containers.
   *
   * @param killers registers containers with the kernel killer
   * @param kills notified of containers that Linux killed
   * @param executor ends what Linux left of them
   * @param now the settings in force
   * @param ledger the running containers
   * @param audit records changes of class that fail at first
   */
  ContainerPlacement placement(
      NodeKillers killers,
      KillBookkeeper kills,
      ActionExecutor executor,
      Supplier<CharonSettings> now,
      ContainerLedger ledger,
      Audit audit) {
    return new ContainerPlacement(
        cgroups,
        scores,
        disk,
        killers,
        new LinuxOomKills(
            cgroups, ledger, executor, kills, () -> now.get().regulators().memoryLimit().mode()),
        this::processesBelowTheFirst,
        () -> now.get().places(),
        new PlacementRetries(
            ledger::hasProcesses, audit, metrics.toleratedFailures(), surroundings.nanoClock()),
        adopted.map(AdoptedContainers::parts).orElse(List.of()));
  }

  private Set<Long> processesBelowTheFirst(String containerId) {
    Long first = known.firstProcesses().get().get(containerId);
    try {
      return first == null
          ? Set.of()
          : new ProcessTreeMemorySensor(surroundings.procRoot()).processes(first);
    } catch (IOException e) {
      LOG.debug("cannot list the processes of {}", containerId, e);
      return Set.of();
    }
  }

  /** Returns the listeners to notify in addition to the placement. */
  Stream<ContainerListener> listeners() {
    return adopted.<ContainerListener>map(others -> others).stream();
  }
}
