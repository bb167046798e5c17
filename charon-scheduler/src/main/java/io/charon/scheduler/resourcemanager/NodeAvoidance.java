/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

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
 * Sends a best-effort container's retry to another node than the one that rejected or killed it. It
 * puts such nodes on the list of nodes that YARN's allocator of OPPORTUNISTIC containers leaves out
 * for this application, for the length of one call. The application's own blacklist and its
 * GUARANTEED asks, for which YARN has another list, are not touched.
 */
final class NodeAvoidance {

  static final String AVOID_KEY = Settings.KEY_PREFIX + "best-effort.avoid-node-ms";

  private final Supplier<Duration> avoid;
  private final LongSupplier nanoTime;

  NodeAvoidance(Supplier<Duration> avoid, LongSupplier nanoTime) {
    this.avoid = avoid;
    this.nanoTime = nanoTime;
  }

  /**
   * Lets YARN leave out the avoided nodes, until {@link #restore}.
   *
   * @param left nodes that YARN leaves out for the attempt's OPPORTUNISTIC containers
   * @param nodes nodes that YARN's allocator chooses from
   * @return what was added to {@code left}
   */
  Set<String> leaveOut(AvoidedNodes avoided, Set<String> left, int nodes) {
    Set<String> hosts = avoided.hosts(nanoTime.getAsLong(), most(nodes));
    hosts.removeAll(left);
    left.addAll(hosts);
    return hosts;
  }

  /**
   * Takes back what was added for a call.
   *
   * @param left as for {@link #leaveOut}
   * @param own what the application says about its own blacklist in this call; may be null
   */
  void restore(Set<String> hosts, Set<String> left, ResourceBlacklistRequest own) {
    Set<String> ours = new HashSet<>(hosts);
    if (own != null) {
      ours.removeAll(own.getBlacklistAdditions());
    }
    left.removeAll(ours);
  }

  /**
   * Remembers the nodes that pushed best-effort containers out.
   *
   * @param ended what ended since the last call, by node
   * @param nodes nodes that YARN's allocator chooses from
   */
  void learn(AvoidedNodes avoided, Map<NodeId, List<ContainerStatus>> ended, int nodes) {
    ended.forEach(
        (node, statuses) -> {
          if (statuses.stream().anyMatch(status -> Eviction.of(status).isPresent())) {
            avoided.add(node.getHost(), nanoTime.getAsLong(), avoid.get().toNanos(), most(nodes));
          }
        });
  }

  /** At most half of the nodes, so that even where all push containers out, some are left. */
  private static int most(int nodes) {
    return nodes / 2;
  }
}
