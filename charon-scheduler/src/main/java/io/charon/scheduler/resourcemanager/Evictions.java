/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;

/**
 * Counts the best-effort containers that each registered node killed and refused in the last hour.
 * Thread-safe.
 *
 * <p>The processor counts and the page reads, both through {@link ActiveParts}.
 */
final class Evictions {
  private static final Duration HOUR = Duration.ofHours(1);

  private final LongSupplier nanoTime;
  private final long sinceNanos;
  private final Map<NodeId, Map<EvictionCause, HourlyCounter>> nodes = new HashMap<>();

  Evictions(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    sinceNanos = nanoTime.getAsLong();
  }

  /**
   * Counts evictions.
   *
   * @param ended containers that ended since the last call, by node; each container once
   * @param registered registered nodes; others are not counted, and their earlier counts are
   *     removed once more nodes have counts than are registered
   */
  synchronized void learn(Map<NodeId, List<ContainerStatus>> ended, Set<NodeId> registered) {
    ended.forEach(
        (node, statuses) -> {
          if (registered.contains(node)) {
            statuses.forEach(status -> EvictionCause.of(status).ifPresent(how -> add(node, how)));
          }
        });
    if (nodes.size() > registered.size()) {
      nodes.keySet().retainAll(registered);
    }
  }

  private void add(NodeId node, EvictionCause how) {
    long now = nanoTime.getAsLong();
    nodes
        .computeIfAbsent(node, id -> new EnumMap<>(EvictionCause.class))
        .computeIfAbsent(how, kind -> new HourlyCounter(now))
        .add(now);
  }

  /** Returns the number of containers that a node evicted in this way in the last hour. */
  synchronized int lastHour(NodeId node, EvictionCause how) {
    HourlyCounter counts = nodes.getOrDefault(node, Map.of()).get(how);
    return counts == null ? 0 : counts.sum(nanoTime.getAsLong());
  }

  /** Returns the time for which evictions have been counted, at most an hour. */
  Duration counted() {
    Duration since = Duration.ofNanos(nanoTime.getAsLong() - sinceNanos);
    return since.compareTo(HOUR) > 0 ? HOUR : since;
  }
}
