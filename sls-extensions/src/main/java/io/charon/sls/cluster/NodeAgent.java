/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.scheduler.local.LaunchDecision;
import io.charon.sls.engine.EventQueue;
import io.charon.sls.engine.Phase;
import io.charon.sls.engine.ScheduledEvent;
import io.charon.sls.node.ContainerPlan;
import io.charon.sls.node.NodeListener;
import io.charon.sls.node.SimulatedNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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
 * <p>It reports on the beats of its heartbeat, each node with its own phase, but only when a
 * heartbeat could matter: if containers started or ended, or if guaranteed containers are pending
 * and the scheduler's state has changed since this node's last beat. A beat left out is one in
 * which the scheduler would have met the state in which it already found nothing for this node.
 * (One trace remains: the scheduler counts how often it retried a reservation, and counts fewer
 * here.)
 */
final class NodeAgent implements NodeListener {
  private static final int PORT = 45454;

  /** The exit code of a container that was not killed by its application. */
  static final int FAILED = 1;

  private final int index;
  private final Cluster cluster;
  private final EventQueue events;
  private final VirtualResourceManager manager;
  private final SimulatedNode node;
  private final long beatNanos;
  private final long phaseNanos;
  private final NodeId id;
  private final RMNode proxy;
  private final int queueLimit;
  private final Map<String, ContainerId> ids = new HashMap<>();
  private List<ContainerStatus> launched = new ArrayList<>();
  private List<ContainerStatus> completed = new ArrayList<>();
  private ScheduledEvent step;
  private boolean beatPlanned;
  private boolean dirty;
  private long seenChanges = -1;

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
    this.beatNanos = settings.heartbeat().toNanos();
    this.phaseNanos = beatNanos * index / settings.nodes();
    this.queueLimit = settings.queueLimit();
    // An address needs no name service.
    String host = "10.%d.%d.%d".formatted(index >> 16, index >> 8 & 255, index & 255);
    this.id = NodeId.newInstance(host, PORT);
    Resource capability =
        Resource.newInstance(settings.size().memoryBytes() >> 20, settings.size().cores());
    this.proxy =
        new Answers(host)
            .with("getNodeID", () -> id)
            .with("getHostName", () -> host)
            .with("getNodeAddress", () -> host + ":" + PORT)
            .with("getHttpAddress", () -> host + ":8042")
            .with("getRackName", () -> "/default-rack")
            .with("getTotalCapability", () -> capability)
            .with("getAllocatedContainerResource", Resources::none)
            .with("getNodeLabels", Set::of)
            .with("getState", () -> NodeState.RUNNING)
            .with("getNode", () -> null)
            .with("getRMContext", manager::context)
            .with("isUpdatedCapability", () -> false)
            .with("getAggregatedContainersUtilization", () -> null)
            .with("getNodeUtilization", () -> null)
            .with("pullNewlyIncreasedContainers", List::of)
            .with("pullContainerUpdates", this::pullUpdates)
            .with("getOpportunisticContainersStatus", this::queueStatus)
            .as(RMNode.class);
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

  /** A container arrives, sent by its ApplicationMaster. */
  void launch(ContainerPlan plan, ContainerId container) {
    ids.put(plan.id(), container);
    if (node.request(plan, events.nowNanos()) == LaunchDecision.Outcome.REJECTED) {
      ids.remove(plan.id());
      cluster.rejected(index, container);
      report(completed, container, ContainerState.COMPLETE, FAILED);
    }
    planStep();
  }

  /** The ResourceManager does not want a container any more. */
  void clean(ContainerId container) {
    node.stop(container.toString(), events.nowNanos());
    planStep();
  }

  @Override
  public void started(ContainerPlan plan) {
    ContainerId container = ids.get(plan.id());
    cluster.started(index, container);
    report(launched, container, ContainerState.RUNNING, 0);
  }

  @Override
  public void ended(ContainerPlan plan, End end, String cause, double workDoneNanos) {
    ContainerId container = ids.remove(plan.id());
    cluster.ended(index, container, end, cause, workDoneNanos);
    if (end == End.STOPPED) {
      // The ResourceManager told us, it need not be told; but the queue may be shorter.
      dirty = true;
      planBeat();
    } else {
      report(completed, container, ContainerState.COMPLETE, end == End.COMPLETED ? 0 : FAILED);
    }
  }

  @Override
  public void withdrawn(ContainerPlan plan) {
    ids.remove(plan.id());
    dirty = true;
    planBeat();
  }

  /** Makes sure that the next beat of this node is looked at. */
  void planBeat() {
    if (!beatPlanned) {
      beatPlanned = true;
      long now = events.nowNanos();
      long beats = Math.floorDiv(now - phaseNanos, beatNanos) + 1;
      events.schedule(phaseNanos + beats * beatNanos, Phase.REPORT, this::beat);
    }
  }

  private void beat() {
    beatPlanned = false;
    if (!dirty && seenChanges == manager.changes()) {
      return;
    }
    if (!completed.isEmpty()) {
      manager.changed();
    }
    dirty = false;
    seenChanges = manager.changes();
    manager.updateNode(proxy);
    cluster.planSort();
    cluster.demandMayBeMet();
  }

  private void report(
      List<ContainerStatus> statuses, ContainerId container, ContainerState state, int exit) {
    statuses.add(ContainerStatus.newInstance(container, state, "", exit));
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
    status.setWaitQueueLength(node.queueLength());
    status.setOpportQueueCapacity(queueLimit);
    return status;
  }

  private void planStep() {
    long next = node.nextStepNanos();
    if (step != null && step.isPending()) {
      if (step.atNanos() == next) {
        return;
      }
      step.cancel();
    }
    step = next == Long.MAX_VALUE ? null : events.schedule(next, Phase.WORLD, this::step);
  }

  private void step() {
    node.wake(events.nowNanos());
    planStep();
  }
}
