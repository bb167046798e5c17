/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerScheduler;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * YARN's scheduler of containers with the two things that configuration alone cannot add to it: a
 * fair queue that is full takes a place from who has the most, and the ResourceManager is told how
 * long a new container would wait here. Until Charon is in charge it is YARN's.
 */
final class CharonContainerScheduler extends ContainerScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(CharonContainerScheduler.class);

  /** The estimate with which the ResourceManager leaves a node out. */
  private static final int SEND_NOTHING = -1;

  private record Charge(LaunchGate gate, BestEffortQueue queue) {}

  private volatile Charge charge;

  CharonContainerScheduler(
      Context context, AsyncDispatcher dispatcher, NodeManagerMetrics metrics) {
    super(context, dispatcher, metrics);
  }

  /** Charon is in charge from now on. */
  void inCharge(LaunchGate gate, BestEffortQueue queue) {
    charge = new Charge(gate, queue);
  }

  /** YARN is in charge from now on. */
  void stockInCharge() {
    charge = null;
  }

  @Override
  protected void scheduleContainer(Container container) {
    Charge now = charge;
    if (now != null && !Containers.isGuaranteed(container) && isFull()) {
      now.queue().giveWay(container).ifPresent(other -> reject(other, container));
    }
    super.scheduleContainer(container);
  }

  /**
   * The ResourceManager sends nothing to a queue that is full by its length. One in which places
   * can be taken is told as one short of full, so that a newcomer comes to the test with each
   * heartbeat.
   */
  @Override
  public OpportunisticContainersStatus getOpportunisticContainersStatus() {
    OpportunisticContainersStatus status = super.getOpportunisticContainersStatus();
    Charge now = charge;
    if (now == null) {
      status.setEstimatedQueueWaitTime(0); // as YARN's, which keeps what it was given last
      return status;
    }
    LaunchGate gate = now.gate();
    if (gate.isStopped() || (isFull() && !gate.givesWay())) {
      status.setEstimatedQueueWaitTime(SEND_NOTHING);
      return status;
    }
    status.setEstimatedQueueWaitTime((int) gate.estimatedWait().toMillis());
    status.setWaitQueueLength(
        Math.min(status.getWaitQueueLength(), Math.max(0, getOpportunisticQueueCapacity() - 1)));
    return status;
  }

  private boolean isFull() {
    return getNumQueuedOpportunisticContainers() >= getOpportunisticQueueCapacity();
  }

  private static void reject(Container container, Container newcomer) {
    LOG.info(
        "{} gives its place in the full queue to {}: its owner has more of them",
        container.getContainerId(),
        newcomer.getContainerId());
    container.sendKillEvent(
        ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER,
        "Opportunistic container queue is full, and its owner has the most places.");
  }
}
