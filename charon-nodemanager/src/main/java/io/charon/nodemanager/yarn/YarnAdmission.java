/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.event.AbstractEvent;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches the admission of containers in YARN's ContainerScheduler between YARN and Charon, as the
 * node's mode demands. Both work on the same queue and the same books, so that no container is lost
 * when they switch. The queue is changed from outside only on the ContainerManager's dispatcher
 * thread, on which YARN schedules, and so never in the middle of an operation.
 */
final class YarnAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(YarnAdmission.class);

  /** The requests to the dispatcher's thread. */
  enum Request {
    /** Another side decides about launches than before. */
    FOLLOW_THE_NODE,
    /** Containers have waited here for too long. */
    HAND_BACK,
    /** All containers from before the restart have been scheduled. */
    END_RECOVERY
  }

  /** A request and the work that it stands for. */
  static final class RequestEvent extends AbstractEvent<Request> {
    private final transient Runnable work;

    RequestEvent(Request request, Runnable work) {
      super(request);
      this.work = work;
    }

    void carryOut() {
      work.run();
    }
  }

  private final CharonNode node;
  private final ContainerScheduler yarns;
  private final Dispatcher dispatcher;
  private final StockScheduler scheduler;
  private final CharonUtilizationTracker tracker;
  private final BestEffortQueue queue;

  /**
   * Takes its place between YARN's scheduler and its queues. YARN is in charge unless the node has
   * a gate already.
   *
   * @param node determines which side decides
   * @param yarns YARN's scheduler, which owns the queues
   * @param dispatcher the ContainerManager's dispatcher, not started yet
   * @throws ReflectiveOperationException if this Hadoop's scheduler or containers are different;
   *     then nothing is changed
   */
  YarnAdmission(CharonNode node, ContainerScheduler yarns, Dispatcher dispatcher)
      throws ReflectiveOperationException {
    this.node = node;
    this.yarns = yarns;
    this.dispatcher = dispatcher;
    this.scheduler = new StockScheduler(yarns, dispatcher);
    this.tracker = new CharonUtilizationTracker(node, scheduler.tracker());
    RecoveredStatus recoveredStatus = new RecoveredStatus();
    this.queue = new BestEffortQueue(recoveredStatus);
    scheduler.takeOver(
        tracker, queue, new ProductionQueue(recoveredStatus, () -> node.gate().isPresent()));
    dispatcher.register(Request.class, event -> ((RequestEvent) event).carryOut());
    node.signals().onLaunchable(scheduler::processQueue);
    node.signals().onGateChanged(this::handOver);
    node.signals()
        .onWaitedTooLong(ids -> onDispatcher(Request.HAND_BACK, () -> ids.forEach(this::handBack)));
    if (node.gate().isPresent()) {
      follow();
    }
  }

  /** Returns YARN's queue of best-effort containers. */
  BestEffortQueue queue() {
    return queue;
  }

  /** Processes the queue again while Charon is in charge; stock YARN's business is its own. */
  void processQueue() {
    if (node.gate().isPresent()) {
      scheduler.processQueue();
    }
  }

  /** Counts the containers from before the restart, too, once the scheduler has seen them all. */
  void endRecovery() {
    // Behind the events with which they are scheduled.
    onDispatcher(Request.END_RECOVERY, () -> queue.recovered(Set.of()));
  }

  @SuppressWarnings("unchecked")
  private void onDispatcher(Request request, Runnable work) {
    dispatcher.getEventHandler().handle(new RequestEvent(request, work));
  }

  private void handOver() {
    onDispatcher(Request.FOLLOW_THE_NODE, this::follow);
    scheduler.processQueue();
  }

  /**
   * Hands a container back; one that has started in the meantime has left the queue and continues.
   */
  private void handBack(String containerId) {
    Container waited = queue.remove(ContainerId.fromString(containerId));
    if (waited != null) {
      LOG.info("{} has waited too long on this node and is handed back", containerId);
      waited.sendKillEvent(
          ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER, ContainerEnd.WAITED_TOO_LONG);
    }
  }

  /**
   * Puts the side in charge that decides now. Running containers come first, so that waiting ones
   * are compared with all of them.
   */
  private void follow() {
    Optional<LaunchGate> gate = node.gate();
    if (gate.isPresent()) {
      tracker.inCharge(gate.get());
      queue.inCharge(gate.get());
    } else {
      tracker.stockInCharge();
      queue.stockInCharge();
    }
    if (yarns instanceof CharonContainerScheduler charons) {
      gate.ifPresentOrElse(decides -> charons.inCharge(decides, queue), charons::stockInCharge);
    }
    LOG.info(
        "{} decides launches; {} best-effort containers are waiting",
        gate.isPresent() ? "Charon" : "stock YARN",
        queue.size());
  }
}
