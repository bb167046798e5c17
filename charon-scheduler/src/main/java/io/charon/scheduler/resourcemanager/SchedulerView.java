/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.QueueNames;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerAllocator.AllocationParams;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/** Charon's view of YARN's scheduler. */
final class SchedulerView {

  private final RMContext context;

  SchedulerView(RMContext context) {
    this.context = context;
  }

  /**
   * Returns the attempt if it is its application's current one and may ask for OPPORTUNISTIC
   * containers; empty once it has ended.
   */
  Optional<SchedulerApplicationAttempt> current(ApplicationAttemptId id) {
    return context.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler
        ? Optional.<SchedulerApplicationAttempt>ofNullable(scheduler.getApplicationAttempt(id))
            .filter(attempt -> attempt.getApplicationAttemptId().equals(id))
            .filter(attempt -> !attempt.isStopped())
            .filter(attempt -> attempt.getOpportunisticContainerContext() != null)
        : Optional.empty();
  }

  /** Returns the attempt's application; empty if the ResourceManager has removed it. */
  Optional<RMApp> application(ApplicationAttemptId id) {
    return Optional.ofNullable(context.getRMApps().get(id.getApplicationId()));
  }

  /**
   * Returns the number of live OPPORTUNISTIC containers of an attempt, queued on a node or running.
   */
  static long liveBestEffort(SchedulerApplicationAttempt attempt) {
    return bestEffort(attempt.getLiveContainers());
  }

  /**
   * Returns the number of live OPPORTUNISTIC containers of a node, queued there or running. Its
   * NodeManager's own number of running ones still has those that ran when they were promoted.
   */
  long liveBestEffort(NodeId id) {
    SchedulerNode node = context.getScheduler().getSchedulerNode(id);
    return node == null ? 0 : bestEffort(node.getCopiedListOfRunningContainers());
  }

  private static long bestEffort(Collection<RMContainer> containers) {
    return containers.stream()
        .filter(container -> container.getExecutionType() == ExecutionType.OPPORTUNISTIC)
        .count();
  }

  /** Returns whether the scheduler is asked for GUARANTEED containers of this key now. */
  boolean asksGuaranteed(ApplicationAttemptId id, SchedulerRequestKey key) {
    return current(id).filter(attempt -> attempt.getOutstandingAsksCount(key) > 0).isPresent();
  }

  /** Returns whether an attempt has OPPORTUNISTIC containers, or YARN is asked for some. */
  static boolean hasBestEffort(SchedulerApplicationAttempt attempt) {
    return !outstanding(attempt).isEmpty() || liveBestEffort(attempt) > 0;
  }

  /** Returns a view of the OPPORTUNISTIC containers that YARN is asked for. */
  static AllocatorAsks outstanding(SchedulerApplicationAttempt attempt) {
    return new AllocatorAsks(attempt.getOpportunisticContainerContext());
  }

  /**
   * Returns the full path of an application's queue if the scheduler knows it, otherwise its name.
   */
  String queuePath(RMApp application) {
    // The CapacityScheduler accepts an application submitted to "leaf" instead of "root.a.leaf".
    String queue = application.getQueue();
    return context.getScheduler() instanceof CapacityScheduler capacityScheduler
        ? capacityScheduler.normalizeQueueName(queue)
        : queue;
  }

  /**
   * Returns the node label of an application's requests without a label: its own, or its queue's.
   */
  Optional<String> defaultLabel(RMApp application) {
    return Optional.ofNullable(application.getApplicationSubmissionContext())
        .map(ApplicationSubmissionContext::getNodeLabelExpression)
        .or(
            () ->
                context.getScheduler() instanceof CapacityScheduler capacityScheduler
                    ? Optional.ofNullable(capacityScheduler.getQueue(application.getQueue()))
                        .map(CSQueue::getDefaultNodeLabelExpression)
                    : Optional.empty());
  }

  /** Returns the size above which YARN refuses GUARANTEED containers in an application's queue. */
  Optional<Resource> largestContainer(RMApp application) {
    return Optional.ofNullable(context.getScheduler())
        .map(scheduler -> scheduler.getMaximumResourceCapability(application.getQueue()));
  }

  /**
   * Returns the size above which a container of an attempt cannot be OPPORTUNISTIC: YARN's
   * allocator reduces larger asks to the scheduler's maximum at the attempt's registration, even if
   * larger nodes have registered since.
   */
  Optional<Resource> largestBestEffort(ApplicationAttemptId id, RMApp application) {
    Optional<Resource> atRegistration =
        current(id)
            .map(attempt -> attempt.getOpportunisticContainerContext().getAppParams())
            .map(AllocationParams::getMaxResource);
    return Stream.concat(largestContainer(application).stream(), atRegistration.stream())
        .reduce(Resources::componentwiseMin);
  }

  /**
   * Returns those of {@code names} that name no queue; empty if the scheduler does not list its
   * queues.
   */
  List<String> unknownQueues(Collection<String> names) {
    if (!(context.getScheduler() instanceof CapacityScheduler capacityScheduler)
        || capacityScheduler.getCapacitySchedulerQueueManager() == null) {
      return List.of();
    }
    var paths = capacityScheduler.getCapacitySchedulerQueueManager().getQueues().keySet();
    return names.stream()
        .filter(name -> paths.stream().noneMatch(path -> QueueNames.matches(name, path)))
        .sorted()
        .toList();
  }

  /**
   * Returns the free places for best-effort containers on the running nodes: what is left of the
   * capacity of their queues, as reported in their last heartbeats. A node that accepts no more for
   * the time being has none.
   */
  long freePlaces() {
    return context.getRMNodes().values().stream()
        .filter(node -> node.getState() == NodeState.RUNNING)
        .map(RMNode::getOpportunisticContainersStatus)
        .filter(Objects::nonNull)
        .filter(status -> status.getEstimatedQueueWaitTime() >= 0)
        .mapToLong(
            status ->
                Math.max(0, status.getOpportQueueCapacity() - status.getQueuedOpportContainers()))
        .sum();
  }

  /** Returns the registered nodes in any state. */
  Set<NodeId> registeredNodes() {
    return context.getRMNodes().keySet();
  }

  /** Returns the racks of the nodes of the given containers. */
  Map<NodeId, String> racks(List<Container> containers) {
    Map<NodeId, String> racks = new HashMap<>();
    for (Container container : containers) {
      RMNode node = context.getRMNodes().get(container.getNodeId());
      if (node != null) {
        racks.put(node.getNodeID(), node.getRackName());
      }
    }
    return racks;
  }

  /** Returns the ended containers that are reported to the attempt in the present call, by node. */
  static Map<NodeId, List<ContainerStatus>> justEnded(
      RMApp application, ApplicationAttemptId attempt) {
    return application.getRMAppAttempt(attempt).getFinishedContainersSentToAMReference();
  }

  /**
   * Returns the number of nodes from which YARN's allocator of OPPORTUNISTIC containers chooses. If
   * an application names no place, these are only a few of the least loaded nodes.
   */
  int nodesToChooseFrom() {
    int candidates =
        context
            .getYarnConfiguration()
            .getInt(
                YarnConfiguration.OPP_CONTAINER_ALLOCATION_NODES_NUMBER_USED,
                YarnConfiguration.DEFAULT_OPP_CONTAINER_ALLOCATION_NODES_NUMBER_USED);
    return Math.min(candidates, context.getScheduler().getNumClusterNodes());
  }
}
