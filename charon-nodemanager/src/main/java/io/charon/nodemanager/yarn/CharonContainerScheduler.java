/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.core.scheduler.FullQueue;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.util.function.LongSupplier;
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
 * YARN's container scheduler with two additions that configuration alone cannot make: a full fair
 * queue displaces a container of the owner with the most places, and the ResourceManager receives
 * the estimated wait of a new container. Until Charon is in charge it behaves as YARN's.
 */
final class CharonContainerScheduler extends ContainerScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(CharonContainerScheduler.class);

  /** The estimated wait with which the ResourceManager skips a node. */
  private static final int SEND_NOTHING = -1;

  private record Charge(LaunchGate gate, BestEffortQueue queue) {}

  private final LongSupplier nanoClock;
  private final FullQueue fullQueue = new FullQueue();

  private volatile Charge charge;

  CharonContainerScheduler(
      Context context, AsyncDispatcher dispatcher, NodeManagerMetrics metrics) {
    this(context, dispatcher, metrics, System::nanoTime);
  }

  CharonContainerScheduler(
      Context context,
      AsyncDispatcher dispatcher,
      NodeManagerMetrics metrics,
      LongSupplier nanoClock) {
    super(context, dispatcher, metrics);
    this.nanoClock = nanoClock;
  }

  /** Puts Charon in charge. */
  void inCharge(LaunchGate gate, BestEffortQueue queue) {
    charge = new Charge(gate, queue);
  }

  /** Puts YARN in charge. */
  void stockInCharge() {
    charge = null;
  }

  @Override
  protected void scheduleContainer(Container container) {
    Charge now = charge;
    if (now != null && !Containers.isGuaranteed(container)) {
      if (isFull()) {
        now.queue().displace(container).ifPresent(other -> reject(other, container));
      }
      fullQueue.arrived(!isFull(), nanoClock.getAsLong());
    }
    super.scheduleContainer(container);
  }

  /**
   * Returns the status of the queue. The ResourceManager sends no container to a queue whose length
   * says that it is full. A full queue in which containers can be displaced is therefore reported
   * as one short of full, so that new containers can arrive with each heartbeat; but not for {@link
   * FullQueue#CLOSED} after one could displace none.
   */
  @Override
  public OpportunisticContainersStatus getOpportunisticContainersStatus() {
    OpportunisticContainersStatus status = super.getOpportunisticContainersStatus();
    Charge now = charge;
    if (now == null) {
      status.setEstimatedQueueWaitTime(
          0); // as YARN reports it; the status object keeps the last value
      return status;
    }
    LaunchGate gate = now.gate();
    if (gate.isStopped()
        || (isFull() && (fullQueue.isClosed(nanoClock.getAsLong()) || !gate.canDisplace()))) {
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

  private static void reject(Container container, Container newContainer) {
    LOG.info(
        "{} is removed from the full queue in favor of {}: its owner has more waiting containers",
        container.getContainerId(),
        newContainer.getContainerId());
    container.sendKillEvent(
        ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER,
        "Opportunistic container queue is full, and the owner of this container has the most containers in it.");
  }
}
