/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.core.scheduler.FullQueue;
import io.charon.sls.engine.EventPhase;
import io.charon.sls.engine.EventQueue;
import io.charon.sls.engine.ScheduledEvent;
import io.charon.sls.node.ContainerPlan;
import io.charon.sls.node.NodeListener;
import io.charon.sls.node.ProcessorDemand;
import io.charon.sls.node.SimulatedNode;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.UpdatedContainerInfo;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The NodeManager of a simulated node: starts containers there and reports to the ResourceManager.
 *
 * <p>Each node has its own heartbeat phase, but it reports only when a heartbeat could matter: if
 * containers started or ended, or if guaranteed containers are pending and the scheduler's state
 * has changed since this node's last heartbeat. In an omitted heartbeat, the scheduler would have
 * met the state in which it found nothing for this node before. (One difference remains: the
 * scheduler counts its retries of a reservation, and counts fewer of them here.)
 */
final class NodeAgent implements NodeListener {
  /** The rack of all nodes. */
  static final String RACK = "/default-rack";

  private static final int PORT = 45454;

  /** Exit code of a container that the node rejected or displaced from its queue. */
  static final int FAILED = 1;

  /** Exit code of a container that waited for too long, the same as in YARN for its own queue. */
  static final int HANDED_BACK = ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER;

  /** Exit code of a container that was killed for memory: 128 and SIGKILL, as in YARN. */
  static final int KILLED = 137;

  private final int index;
  private final Cluster cluster;
  private final EventQueue events;
  private final VirtualResourceManager manager;
  private final SimulatedNode node;
  private final long beatNanos;
  private final long phaseNanos;
  private final NodeId id;
  private final Resource capability;
  private final RMNode proxy;
  private final int queueLimit;
  private final boolean sharedProcessors;
  private final Map<String, ContainerId> ids = new HashMap<>();
  private final Map<String, Runnable> works = new HashMap<>();
  private List<ContainerStatus> launched = new ArrayList<>();
  private List<ContainerStatus> completed = new ArrayList<>();
  private ScheduledEvent step;
  private boolean beatPlanned;
  private boolean dirty;
  private long seenChanges = -1;
  private ProcessorDemand processorDemand = new ProcessorDemand(0, 0);

  NodeAgent(
      int index,
      Cluster cluster,
      ClusterSettings settings,
      Function<NodeListener, SimulatedNode> node) {
    this.index = index;
    this.cluster = cluster;
    this.events = cluster.events();
    this.manager = cluster.manager();
    this.node = node.apply(this);
    this.beatNanos = settings.timing().heartbeat().toNanos();
    this.phaseNanos = beatNanos * index / settings.nodes().count();
    this.queueLimit = settings.nodes().queueLimit();
    this.sharedProcessors = settings.nodes().sharedProcessors();
    // An address avoids look-ups in a name service.
    String host =
        String.format(Locale.ROOT, "10.%d.%d.%d", index >> 16, index >> 8 & 255, index & 255);
    this.id = NodeId.newInstance(host, PORT);
    this.capability =
        Resource.newInstance(
            settings.nodes().size().memoryBytes() >> 20, settings.nodes().size().virtualCores());
    this.proxy =
        (RMNode)
            Proxy.newProxyInstance(
                RMNode.class.getClassLoader(),
                new Class<?>[] {RMNode.class},
                (self, method, arguments) -> answer(method.getName(), arguments));
  }

  RMNode proxy() {
    return proxy;
  }

  NodeId id() {
    return id;
  }

  SimulatedNode node() {
    return node;
  }

  /** Requests the start of a container that its ApplicationMaster sent. */
  void launch(ContainerPlan plan, ContainerId container) {
    ids.put(plan.id(), container);
    switch (node.request(plan, events.nowNanos())) {
      case LAUNCHED -> {}
      case QUEUED -> reportQueue();
      case REJECTED -> {
        displaced(plan);
        reportWhenItOpens();
      }
    }
    planStep();
  }

  private void reportWhenItOpens() {
    if (node.isClosed(events.nowNanos())) {
      long opens = events.nowNanos() + FullQueue.CLOSED.toNanos();
      events.schedule(opens, EventPhase.WORLD, this::reportQueue);
    }
  }

  /**
   * Runs work inside a running container. It competes for the processors, but the ResourceManager
   * does not know about it.
   *
   * @param plan the work, guaranteed, with an id of its own
   * @param done runs when the work is done
   */
  void work(ContainerPlan plan, Runnable done) {
    works.put(plan.id(), done);
    node.request(plan, events.nowNanos());
    planStep();
  }

  /** Returns the number of running containers. */
  int containers() {
    return node.containers().size() - works.size();
  }

  /** Stops a container that the ResourceManager no longer needs. */
  void clean(ContainerId container) {
    node.stop(container.toString(), events.nowNanos());
    planStep();
  }

  @Override
  public void started(ContainerPlan plan) {
    if (works.containsKey(plan.id())) {
      return;
    }
    ContainerId container = ids.get(plan.id());
    cluster.started(index, container, plan.executionType());
    report(launched, container, ContainerState.RUNNING, 0);
  }

  /** A displaced container and a rejected one look the same to the ApplicationMaster. */
  @Override
  public void displaced(ContainerPlan plan) {
    ContainerId container = ids.remove(plan.id());
    cluster.rejected(index, container);
    report(completed, container, ContainerState.COMPLETE, FAILED);
  }

  @Override
  public void handedBack(ContainerPlan plan) {
    ContainerId container = ids.remove(plan.id());
    cluster.handedBack(index, container);
    report(completed, container, ContainerState.COMPLETE, HANDED_BACK);
  }

  @Override
  public void ended(ContainerPlan plan, End end, String cause, double workDoneNanos) {
    Runnable done = works.remove(plan.id());
    if (done != null) {
      done.run();
      return;
    }
    ContainerId container = ids.remove(plan.id());
    cluster.ended(index, container, end, cause, workDoneNanos);
    switch (end) {
      case COMPLETED -> report(completed, container, ContainerState.COMPLETE, 0);
      case KILLED -> report(completed, container, ContainerState.COMPLETE, KILLED);
      // Until this is reported, the scheduler keeps the container's place on this node.
      case STOPPED ->
          report(
              completed,
              container,
              ContainerState.COMPLETE,
              ContainerExitStatus.KILLED_AFTER_APP_COMPLETION);
    }
  }

  @Override
  public void withdrawn(ContainerPlan plan) {
    ids.remove(plan.id());
    reportQueue();
  }

  /** Schedules the next heartbeat of this node. */
  void planBeat() {
    if (!beatPlanned) {
      beatPlanned = true;
      long now = events.nowNanos();
      long beats = Math.floorDiv(now - phaseNanos, beatNanos) + 1;
      events.schedule(phaseNanos + beats * beatNanos, EventPhase.REPORT, this::beat);
    }
  }

  private void beat() {
    beatPlanned = false;
    long before = manager.changes();
    if (!dirty && (seenChanges == before || !cluster.wantsGuaranteed())) {
      return;
    }
    if (!completed.isEmpty()) {
      manager.changed();
    }
    dirty = false;
    seenChanges = manager.changes();
    manager.updateNode(proxy);
    cluster.planSort();
    if (manager.changes() != before) {
      cluster.planBeatsForDemand();
    }
  }

  private void report(
      List<ContainerStatus> statuses, ContainerId container, ContainerState state, int exit) {
    statuses.add(ContainerStatus.newInstance(container, state, "", exit));
    reportQueue();
  }

  /**
   * Answers the scheduler's calls to a node. The interface differs between Hadoop's versions and is
   * called very often, so neither a class nor {@link Answers} fits.
   */
  private Object answer(String method, Object[] arguments) {
    return switch (method) {
      case "getNodeID" -> id;
      case "getHostName", "toString" -> id.getHost();
      case "getNodeAddress" -> id.getHost() + ":" + PORT;
      case "getHttpAddress" -> id.getHost() + ":8042";
      case "getRackName" -> RACK;
      case "getTotalCapability" -> capability;
      case "getAllocatedContainerResource" -> Resources.none();
      case "getNodeLabels" -> Set.of();
      case "getState" -> NodeState.RUNNING;
      case "getRMContext" -> manager.context();
      case "isUpdatedCapability" -> false;
      case "getNode", "getAggregatedContainersUtilization", "getNodeUtilization" -> null;
      case "pullNewlyIncreasedContainers" -> List.of();
      case "pullContainerUpdates" -> pullUpdates();
      case "getOpportunisticContainersStatus" -> queueStatus();
      case "hashCode" -> index;
      case "equals" -> arguments[0] == proxy;
      default -> throw new UnsupportedOperationException("RMNode." + method + " of " + id);
    };
  }

  private void reportQueue() {
    dirty = true;
    planBeat();
  }

  private List<UpdatedContainerInfo> pullUpdates() {
    UpdatedContainerInfo updates = new UpdatedContainerInfo(launched, completed, List.of());
    launched = new ArrayList<>();
    completed = new ArrayList<>();
    return List.of(updates);
  }

  private OpportunisticContainersStatus queueStatus() {
    OpportunisticContainersStatus status = OpportunisticContainersStatus.newInstance();
    // The allocator sends nothing to a full queue, so a full queue from which containers can be
    // displaced is reported with one free place.
    status.setWaitQueueLength(
        node.canDisplace(events.nowNanos())
            ? Math.min(node.queueLength(), queueLimit - 1)
            : node.queueLength());
    status.setOpportQueueCapacity(queueLimit);
    return status;
  }

  private void planStep() {
    notifyNeighbours();
    long next = node.nextStepNanos();
    if (step != null && step.isPending()) {
      if (step.atNanos() == next) {
        return;
      }
      events.cancel(step);
    }
    step = next == Long.MAX_VALUE ? null : events.schedule(next, EventPhase.WORLD, this::step);
  }

  private void notifyNeighbours() {
    if (sharedProcessors && !node.processorDemand().equals(processorDemand)) {
      processorDemand = node.processorDemand();
      cluster.processorDemandChanged(this);
    }
  }

  /** Executes the steps of the node that are due. */
  void step() {
    node.wake(events.nowNanos());
    planStep();
  }
}
