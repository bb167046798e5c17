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
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ResourceUtilizationTracker;

/**
 * What YARN's ContainerScheduler asks before it starts a container: answers from the launch gate
 * instead of from reservations. Called on the ContainerManager's dispatcher thread only.
 */
final class CharonUtilizationTracker implements ResourceUtilizationTracker {
  private final CharonNode node;
  private final LaunchGate gate;

  CharonUtilizationTracker(CharonNode node, LaunchGate gate) {
    this.node = node;
    this.gate = gate;
  }

  /**
   * Nothing is in use as far as YARN's own preemption of best-effort containers is concerned:
   * memory is taken back by the killer, when it is short and not when it is reserved.
   */
  @Override
  public ResourceUtilization getCurrentUtilization() {
    return ResourceUtilization.newInstance(0, 0, 0f);
  }

  /**
   * Whether it may start. After a restart YARN queues a container again before it has localized it:
   * started then, it would fail. Once it is ready YARN schedules it, and asks again.
   */
  @Override
  public boolean hasResourcesAvailable(Container container) {
    ContainerState state = container.getContainerState();
    if (state == ContainerState.NEW || state == ContainerState.LOCALIZING) {
      return false;
    }
    LaunchDecision decision = gate.request(Containers.info(container).launchRequest());
    return decision.outcome() == LaunchDecision.Outcome.LAUNCHED;
  }

  @Override
  public boolean hasResourcesAvailable(Resource resource) {
    return true;
  }

  /** A launch that the gate has charged already, or a container recovered after a restart. */
  @Override
  public void addContainerResources(Container container) {
    if (Containers.isGuaranteed(container)) {
      node.productionStarts(Containers.requestedBytes(container));
      return;
    }
    ContainerInfo info = Containers.info(container);
    if (!gate.isRunning(info.containerId())) {
      gate.adopt(info.launchRequest());
    }
  }

  @Override
  public void subtractContainerResource(Container container) {
    node.released(container.getContainerId().toString());
  }
}
