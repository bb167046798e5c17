/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.scheduler.cluster.ClusterStatus;
import io.charon.scheduler.cluster.NodeRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNodeReport;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/** Reads the state of the cluster from the ResourceManager. */
final class ClusterView {
  /** Maximum length of a health report, which a script of the node writes (our choice). */
  static final int MAX_HEALTH_CHARACTERS = 200;

  private final RMContext context;
  private final SchedulerView scheduler;
  private final Optional<Evictions> evictions;

  ClusterView(RMContext context) {
    this.context = context;
    scheduler = new SchedulerView(context);
    evictions = ActiveParts.find(context).map(ActiveParts::evictions);
  }

  /** Returns the current state of the cluster, with nodes in the order of their names. */
  ClusterStatus status() {
    List<NodeRow> rows =
        context.getRMNodes().values().stream()
            .sorted(Comparator.comparing(RMNode::getNodeID))
            .map(this::row)
            .toList();
    long lost =
        context.getInactiveRMNodes().values().stream()
            .filter(node -> node.getState() == NodeState.LOST)
            .count();
    String prefix = WebAppUtils.getHttpSchemePrefix(context.getYarnConfiguration());
    return new ClusterStatus(
        Instant.now(),
        evictions.map(Evictions::counted).orElse(Duration.ZERO),
        (int) lost,
        prefix.substring(0, prefix.indexOf(':')),
        rows);
  }

  private NodeRow row(RMNode node) {
    SchedulerNodeReport report = context.getScheduler().getNodeReport(node.getNodeID());
    return new NodeRow(
        node.getNodeID().toString(),
        node.getState().toString(),
        health(node),
        node.getHttpPort() > 0 ? Optional.ofNullable(node.getHttpAddress()) : Optional.empty(),
        new NodeRow.Memory(
            node.getTotalCapability().getMemorySize(),
            report == null ? 0 : report.getUsedResource().getMemorySize(),
            mebibytes(node.getAggregatedContainersUtilization()),
            mebibytes(node.getNodeUtilization())),
        bestEffort(node));
  }

  private static Optional<String> health(RMNode node) {
    return Optional.ofNullable(node.getHealthReport())
        .filter(report -> node.getState() == NodeState.UNHEALTHY && !report.isBlank())
        .map(report -> report.substring(0, Math.min(report.length(), MAX_HEALTH_CHARACTERS)));
  }

  private static OptionalLong mebibytes(ResourceUtilization utilization) {
    return utilization == null
        ? OptionalLong.empty()
        : OptionalLong.of(utilization.getPhysicalMemory());
  }

  private NodeRow.BestEffort bestEffort(RMNode node) {
    OpportunisticContainersStatus told = node.getOpportunisticContainersStatus();
    OpportunisticContainersStatus status =
        told == null ? OpportunisticContainersStatus.newInstance() : told;
    int wait = status.getEstimatedQueueWaitTime();
    int queued = status.getQueuedOpportContainers();
    return new NodeRow.BestEffort(
        (int) Math.max(0, scheduler.liveBestEffort(node.getNodeID()) - queued),
        queued,
        // YARN's name for it has no unit; the NodeManager sends its metric in GiB.
        status.getOpportMemoryUsed(),
        told == null || wait < 0 ? OptionalInt.empty() : OptionalInt.of(wait),
        lastHour(node.getNodeID(), EvictionCause.KILLED),
        lastHour(node.getNodeID(), EvictionCause.REFUSED));
  }

  private OptionalInt lastHour(NodeId node, EvictionCause how) {
    return evictions.isPresent()
        ? OptionalInt.of(evictions.get().lastHour(node, how))
        : OptionalInt.empty();
  }
}
