/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.core.scheduler.LaunchDecision;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ResourceUtilizationTracker;

/**
 * What YARN's ContainerScheduler asks before it starts a container: answers from the launch gate
 * instead of from reservations while Charon is in charge, and as YARN's own otherwise, which hears
 * of every container all the time. Changed on the ContainerManager's dispatcher thread only.
 */
final class CharonUtilizationTracker implements ResourceUtilizationTracker {
  private final CharonNode node;
  private final ResourceUtilizationTracker stock;

  /** Those that YARN started, or found running, in that order. */
  private final Map<ContainerId, Container> running = new LinkedHashMap<>();

  private volatile Optional<LaunchGate> gate = Optional.empty();

  CharonUtilizationTracker(CharonNode node, ResourceUtilizationTracker stock) {
    this.node = node;
    this.stock = stock;
  }

  /** Charon is in charge from now on, of those that run, too. */
  void inCharge(LaunchGate decides) {
    gate = Optional.of(decides);
    running.values().stream()
        .filter(container -> !Containers.isGuaranteed(container))
        .map(Containers::info)
        .filter(container -> !decides.isRunning(container.containerId()))
        .forEach(container -> decides.adopt(container.launchRequest()));
  }

  /** YARN is in charge from now on, by the reservations of those that run. */
  void stockInCharge() {
    gate = Optional.empty();
  }

  /**
   * Where Charon is in charge, nothing is in use as far as YARN's own preemption of best-effort
   * containers is concerned: memory is taken back by the killer, when it is short and not when it
   * is reserved.
   */
  @Override
  public ResourceUtilization getCurrentUtilization() {
    return gate.isPresent()
        ? ResourceUtilization.newInstance(0, 0, 0f)
        : stock.getCurrentUtilization();
  }

  /**
   * Whether it may start. After a restart YARN queues a container again before it has localized it:
   * started then, it would fail. Once it is ready YARN schedules it, and asks again.
   */
  @Override
  public boolean hasResourcesAvailable(Container container) {
    if (gate.isEmpty()) {
      return stock.hasResourcesAvailable(container);
    }
    ContainerState state = container.getContainerState();
    if (state == ContainerState.NEW || state == ContainerState.LOCALIZING) {
      return false;
    }
    LaunchDecision decision = gate.get().request(Containers.info(container).launchRequest());
    return decision.outcome() == LaunchDecision.Outcome.LAUNCHED;
  }

  @Override
  public boolean hasResourcesAvailable(Resource resource) {
    return gate.isPresent() || stock.hasResourcesAvailable(resource);
  }

  /** A launch that the gate has charged already, or a container recovered after a restart. */
  @Override
  public void addContainerResources(Container container) {
    running.put(container.getContainerId(), container);
    stock.addContainerResources(container);
    gate.ifPresent(decides -> add(container, decides));
  }

  private void add(Container container, LaunchGate decides) {
    if (Containers.isGuaranteed(container)) {
      node.productionStarts(Containers.requestedBytes(container));
      return;
    }
    ContainerInfo info = Containers.info(container);
    if (!decides.isRunning(info.containerId())) {
      decides.adopt(info.launchRequest());
    }
  }

  @Override
  public void subtractContainerResource(Container container) {
    running.remove(container.getContainerId());
    stock.subtractContainerResource(container);
    if (gate.isPresent()) {
      node.lifecycle().released(container.getContainerId().toString());
    }
  }
}
