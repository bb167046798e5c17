/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.container.AdoptedContainers;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.IdleDisk;
import io.charon.nodemanager.container.OomScores;
import io.charon.nodemanager.mechanisms.kill.KernelKillerAdapter;
import io.charon.nodemanager.mechanisms.kill.KillBookkeeper;
import io.charon.nodemanager.mechanisms.kill.NodeKillers;
import io.charon.nodemanager.mechanisms.kill.WatchedCgroups;
import io.charon.nodemanager.report.metrics.Metric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.sensor.AdoptedMemoryPlaces;
import io.charon.nodemanager.sensor.AdoptedMemorySensor;
import io.charon.nodemanager.sensor.MemoryPlaces;
import io.charon.nodemanager.sensor.NodeSensors;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What sets a node's containers apart: cgroups that Charon makes ({@code own}), adopts ({@code
 * attach}), or makes beside those that it adopts ({@code beside}), scores and I/O classes.
 */
final class NodeIsolation {
  private final CharonSettings wanted;
  private final Surroundings surroundings;
  private final NodeMetrics metrics;
  private final ContainerCgroups cgroups;
  private final OomScores scores;
  private final IdleDisk disk;
  private final Optional<AdoptedContainers> adopted;
  private final Map<Long, String> left;

  /**
   * Finds out what this machine has; makes nothing.
   *
   * @param wanted what the operator decided
   * @param surroundings the machine
   * @param metrics counts what fails
   * @param known what the node knows of its containers
   */
  NodeIsolation(
      CharonSettings wanted,
      Surroundings surroundings,
      NodeMetrics metrics,
      AdoptedContainers.Known known) {
    this.wanted = wanted;
    this.surroundings = surroundings;
    this.metrics = metrics;
    this.cgroups =
        ContainerCgroups.open(wanted, surroundings.procRoot(), metrics.toleratedFailures());
    this.scores = new OomScores(surroundings.procRoot(), wanted.processes());
    this.disk =
        wanted.processes().idleDisk()
            ? IdleDisk.find(surroundings.procRoot())
            : IdleDisk.notWanted();
    boolean nothingToAdopt = cgroups.possible().isPresent() && !wanted.isolation().weighed();
    this.adopted =
        nothingToAdopt
            ? Optional.empty()
            : AdoptedContainers.open(
                wanted,
                surroundings.procRoot(),
                cgroups.possible().isEmpty(),
                known,
                scores,
                disk,
                metrics.toleratedFailures(),
                surroundings.nanoClock());
    this.left = alone().map(AdoptedContainers::left).orElseGet(cgroups::left);
    metrics.gauge(
        Metric.CGROUP_WARNINGS,
        () -> cgroups.warnings() + adopted.map(AdoptedContainers::warnings).orElse(0L));
  }

  /** Those that Charon makes; none where it adopts. */
  ContainerCgroups cgroups() {
    return cgroups;
  }

  /** Looks after those that others make, if others do. */
  Optional<AdoptedContainers> adopted() {
    return adopted;
  }

  /**
   * What reads the node and its containers.
   *
   * @param outside first process of each container that is in no cgroup of its own
   */
  NodeSensors sensors(Supplier<Map<String, Long>> outside) {
    return alone()
        .map(others -> new AdoptedMemorySensor(others.layout(), others::memory))
        .map(sensor -> NodeSensors.attached(wanted, surroundings.procRoot(), sensor, outside))
        .orElseGet(
            () -> NodeSensors.open(wanted, surroundings.procRoot(), cgroups.possible(), outside));
  }

  /** Containers that an earlier NodeManager left, by the id of their memory cgroup. */
  Map<Long, String> left() {
    return left;
  }

  /**
   * The kernel killer as this node uses it; in modes that do not act, one that takes back what an
   * earlier life registered.
   *
   * @param now what the operator wants now
   * @param containers of the node
   * @param kills told of every victim
   * @return empty if it is not wanted, or containers have no cgroups
   */
  Optional<KernelKillerAdapter> kernelKillerAdapter(
      CharonSettings now, NodeContainers containers, KillBookkeeper kills) {
    return now.kernelKiller()
        .flatMap(
            rule ->
                (now.places() ? cgroups.layout() : cgroups.possible())
                    .map(
                        layout ->
                            guard(rule, layout, WatchedCgroups.own(layout), containers, kills))
                    .or(
                        () ->
                            alone()
                                .map(
                                    others ->
                                        guard(
                                            rule,
                                            others.layout(),
                                            watched(others),
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
      NodeContainers containers,
      KillBookkeeper kills) {
    return KernelKillerAdapter.of(
        rule,
        layout,
        watched,
        left,
        containers::all,
        containers::outside,
        kills,
        surroundings.nanoClock());
  }

  /** Those that others make where Charon makes none. */
  private Optional<AdoptedContainers> alone() {
    return adopted.filter(others -> cgroups.possible().isEmpty());
  }

  /** Where the memory of containers is counted, if others make cgroups that count it. */
  Optional<MemoryPlaces> memoryPlaces() {
    return adopted
        .filter(others -> wanted.isolation().counted())
        .map(
            others -> new AdoptedMemoryPlaces(others.layout(), others::memory, others::bestEffort));
  }

  /**
   * Who gives containers their place.
   *
   * @param killers told who may be killed
   * @param kills told whom Linux killed
   * @param places whether those that start now get a place
   */
  ContainerPlacement placement(NodeKillers killers, KillBookkeeper kills, BooleanSupplier places) {
    return new ContainerPlacement(
        cgroups, scores, disk, killers, kills, places, metrics.toleratedFailures());
  }

  /** Who hears of containers beside the placement. */
  Stream<ContainerListener> listeners() {
    return adopted.<ContainerListener>map(others -> others).stream();
  }
}
