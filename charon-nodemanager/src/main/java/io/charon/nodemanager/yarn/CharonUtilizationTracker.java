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
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ResourceUtilizationTracker;

/**
 * Answers YARN's ContainerScheduler whether a container may start: from the launch gate while
 * Charon is in charge, and from reservations, by YARN's own tracker, otherwise. YARN's tracker
 * receives every container at all times. Modified on the ContainerManager's dispatcher thread only.
 */
final class CharonUtilizationTracker implements ResourceUtilizationTracker {
  private final CharonNode node;
  private final ResourceUtilizationTracker stock;

  /** Containers that YARN started or found running, in that order. */
  private final Map<ContainerId, Container> running = new LinkedHashMap<>();

  private volatile Optional<LaunchGate> gate = Optional.empty();

  CharonUtilizationTracker(CharonNode node, ResourceUtilizationTracker stock) {
    this.node = node;
    this.stock = stock;
  }

  /** Puts Charon in charge, also of the containers that run already. */
  void inCharge(LaunchGate decides) {
    gate = Optional.of(decides);
    running.values().stream()
        .filter(container -> !Containers.isGuaranteed(container))
        .map(Containers::info)
        .filter(container -> !decides.isRunning(container.containerId()))
        .forEach(container -> decides.adopt(container.launchRequest()));
  }

  /** Puts YARN in charge, with the reservations of the running containers. */
  void stockInCharge() {
    gate = Optional.empty();
  }

  /**
   * Returns zero while Charon is in charge, which disables YARN's own preemption of best-effort
   * containers: the killer frees memory when it is short, not when it is reserved.
   */
  @Override
  public ResourceUtilization getCurrentUtilization() {
    return gate.isPresent()
        ? ResourceUtilization.newInstance(0, 0, 0f)
        : stock.getCurrentUtilization();
  }

  /**
   * Returns whether a container may start. After a restart YARN queues a container before it is
   * initialized, when it could not run yet.
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

  /**
   * Adds a launch that the gate has charged already, or a container recovered after a restart. One
   * that runs already was resized, and starts nothing.
   */
  @Override
  public void addContainerResources(Container container) {
    stock.addContainerResources(container);
    if (running.put(container.getContainerId(), container) == null) {
      gate.ifPresent(decides -> add(container, decides));
    }
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

  /**
   * Subtracts a container that has ended; or, before a resize, YARN's copy of one that runs on,
   * with its former size.
   */
  @Override
  public void subtractContainerResource(Container container) {
    stock.subtractContainerResource(container);
    if (running.remove(container.getContainerId(), container) && gate.isPresent()) {
      boolean completed =
          container.cloneAndGetContainerStatus().getExitStatus() == ContainerExitStatus.SUCCESS;
      node.lifecycle().released(container.getContainerId().toString(), completed);
    }
  }
}
