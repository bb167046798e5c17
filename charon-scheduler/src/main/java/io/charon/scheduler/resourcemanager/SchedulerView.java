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
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** What Charon looks up in YARN's scheduler. */
final class SchedulerView {

  private final RMContext context;

  SchedulerView(RMContext context) {
    this.context = context;
  }

  /**
   * The attempt, if it is its application's current one and may ask for OPPORTUNISTIC containers;
   * empty once it has ended.
   */
  Optional<SchedulerApplicationAttempt> current(ApplicationAttemptId id) {
    return context.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler
        ? Optional.<SchedulerApplicationAttempt>ofNullable(scheduler.getApplicationAttempt(id))
            .filter(attempt -> attempt.getApplicationAttemptId().equals(id))
            .filter(attempt -> !attempt.isStopped())
            .filter(attempt -> attempt.getOpportunisticContainerContext() != null)
        : Optional.empty();
  }

  /** The attempt's application; empty if the ResourceManager has forgotten it. */
  Optional<RMApp> application(ApplicationAttemptId id) {
    return Optional.ofNullable(context.getRMApps().get(id.getApplicationId()));
  }

  /** The OPPORTUNISTIC containers of an attempt that live, queued on a node or running. */
  static long liveBestEffort(SchedulerApplicationAttempt attempt) {
    return attempt.getLiveContainers().stream()
        .filter(container -> container.getExecutionType() == ExecutionType.OPPORTUNISTIC)
        .count();
  }

  /** How many containers YARN is asked for; for the thread that serves the attempt's call only. */
  static PendingRequests.Outstanding outstanding(SchedulerApplicationAttempt attempt) {
    return (key, capability) -> {
      var ofKey = attempt.getOpportunisticContainerContext().getOutstandingOpReqs().get(key);
      var ask = ofKey == null ? null : ofKey.get(capability);
      return ask == null ? 0 : ask.getRequest().getNumContainers();
    };
  }

  /** The full path of an application's queue, where the scheduler knows it. */
  String queuePath(RMApp application) {
    // The CapacityScheduler lets an application be submitted to "leaf" instead of "root.a.leaf".
    String queue = application.getQueue();
    return context.getScheduler() instanceof CapacityScheduler capacityScheduler
        ? capacityScheduler.normalizeQueueName(queue)
        : queue;
  }

  /** The node label of what an application asks for without one: its own, or its queue's. */
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

  /** Those of {@code names} that name no queue; empty where the scheduler does not list them. */
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
   * Places for best-effort containers on the nodes that run, as they told at their last heartbeat:
   * what runs there, and the whole length of the queue; or what is in the queue, where a node takes
   * nothing more for the time being.
   */
  long bestEffortPlaces() {
    return context.getRMNodes().values().stream()
        .filter(node -> node.getState() == NodeState.RUNNING)
        .map(RMNode::getOpportunisticContainersStatus)
        .filter(Objects::nonNull)
        .mapToLong(
            status ->
                (long) status.getRunningOpportContainers()
                    + (status.getEstimatedQueueWaitTime() < 0
                        ? status.getQueuedOpportContainers()
                        : status.getOpportQueueCapacity()))
        .sum();
  }

  /** Nodes that are registered, whatever their state. */
  Set<NodeId> registeredNodes() {
    return context.getRMNodes().keySet();
  }

  /** The racks of the nodes of these containers. */
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

  /** What ended and is told to the attempt in the call that is being served, by node. */
  static Map<NodeId, List<ContainerStatus>> justEnded(
      RMApp application, ApplicationAttemptId attempt) {
    return application.getRMAppAttempt(attempt).getFinishedContainersSentToAMReference();
  }

  /**
   * Nodes that YARN's allocator of OPPORTUNISTIC containers chooses from: where an application
   * names no place, only so many of the least loaded ones.
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
