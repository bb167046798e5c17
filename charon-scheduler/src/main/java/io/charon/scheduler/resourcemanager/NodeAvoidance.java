/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.AvoidedNodes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;

/**
 * Sends the retry of a best-effort container to a node other than the one that rejected or killed
 * it. For the length of one call, it adds such nodes to the blacklist that YARN's allocator of
 * OPPORTUNISTIC containers keeps for the application. The application's own blacklist and its
 * GUARANTEED asks, for which YARN has another list, are not affected.
 */
final class NodeAvoidance {

  static final String AVOID_KEY = "yarn.resourcemanager.charon.best-effort.avoid-node-ms";

  private final Supplier<Duration> avoid;
  private final LongSupplier nanoTime;

  NodeAvoidance(Supplier<Duration> avoid, LongSupplier nanoTime) {
    this.avoid = avoid;
    this.nanoTime = nanoTime;
  }

  /**
   * Adds the avoided nodes to YARN's blacklist, until {@link #restore}.
   *
   * @param left blacklist of the attempt's OPPORTUNISTIC containers
   * @param nodes number of nodes from which YARN's allocator chooses
   * @return the hosts that were added to {@code left}
   */
  Set<String> leaveOut(AvoidedNodes avoided, Set<String> left, int nodes) {
    Set<String> hosts = avoided.hosts(nanoTime.getAsLong(), AvoidedNodes.most(nodes));
    hosts.removeAll(left);
    left.addAll(hosts);
    return hosts;
  }

  /**
   * Removes the hosts that were added for a call.
   *
   * @param left as for {@link #leaveOut}
   * @param own changes of the application's own blacklist in this call; may be null
   */
  void restore(Set<String> hosts, Set<String> left, ResourceBlacklistRequest own) {
    Set<String> ours = new HashSet<>(hosts);
    if (own != null) {
      ours.removeAll(own.getBlacklistAdditions());
    }
    left.removeAll(ours);
  }

  /**
   * Records the nodes that evicted best-effort containers.
   *
   * @param ended containers that ended since the last call, by node
   * @param nodes number of nodes from which YARN's allocator chooses
   */
  void learn(AvoidedNodes avoided, Map<NodeId, List<ContainerStatus>> ended, int nodes) {
    ended.forEach(
        (node, statuses) -> {
          if (statuses.stream().anyMatch(status -> EvictionCause.of(status).isPresent())) {
            avoided.add(
                node.getHost(),
                nanoTime.getAsLong(),
                avoid.get().toNanos(),
                AvoidedNodes.most(nodes));
          }
        });
  }
}
