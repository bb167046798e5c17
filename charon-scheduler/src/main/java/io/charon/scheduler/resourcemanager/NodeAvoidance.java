/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Sends a best-effort container's retry to another node than the one that rejected or killed it. It
 * puts such nodes on the list of nodes that YARN's allocator of OPPORTUNISTIC containers leaves out
 * for this application, for the length of one call. The application's own blacklist and its
 * GUARANTEED asks, for which YARN has another list, are not touched.
 */
final class NodeAvoidance {

  static final String AVOID_KEY = Settings.KEY_PREFIX + "best-effort.avoid-node-ms";

  /** A call of the next processor. */
  interface Call {
    void run() throws YarnException;
  }

  private final Duration avoid;
  private final LongSupplier nanoTime;

  NodeAvoidance(Duration avoid, LongSupplier nanoTime) {
    this.avoid = avoid;
    this.nanoTime = nanoTime;
  }

  /**
   * Runs {@code call} while YARN leaves out the avoided nodes.
   *
   * @param left nodes that YARN leaves out for the attempt's OPPORTUNISTIC containers
   * @param own what the application says about its own blacklist in this call; may be null
   * @param nodes nodes that YARN's allocator chooses from
   */
  void around(
      AvoidedNodes avoided, Set<String> left, ResourceBlacklistRequest own, int nodes, Call call)
      throws YarnException {
    Set<String> hosts = avoided.hosts(nanoTime.getAsLong(), most(nodes));
    hosts.removeAll(left);
    left.addAll(hosts);
    try {
      call.run();
    } finally {
      if (own != null) {
        hosts.removeAll(own.getBlacklistAdditions());
      }
      left.removeAll(hosts);
    }
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
            avoided.add(node.getHost(), nanoTime.getAsLong(), avoid.toNanos(), most(nodes));
          }
        });
  }

  /** At most half of the nodes, so that even where all push containers out, some are left. */
  private static int most(int nodes) {
    return nodes / 2;
  }
}
