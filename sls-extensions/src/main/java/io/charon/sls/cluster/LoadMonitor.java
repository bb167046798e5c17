/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.distributed.ClusterNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.distributed.NodeQueueLoadMonitor;

/**
 * YARN's load monitor made reproducible. It sorts on request instead of by a timer, breaks ties by
 * node instead of by wall clock, and draws the first candidate from a seeded stream. The load is
 * the length of the queue, YARN's default. Optionally it ignores that queues are full.
 */
final class LoadMonitor extends NodeQueueLoadMonitor {
  /** An interval that never ends: a timer would sort at times that differ between runs. */
  private static final long NO_TIMER_MILLIS = Long.MAX_VALUE / 4_000_000;

  private final Random random;
  private final boolean avoidsFull;
  private final NavigableMap<String, NodeId> byHost = new TreeMap<>();
  private List<NodeId> candidates = List.of();
  private boolean full; // No candidate had room, and none has reported since.

  LoadMonitor(int candidates, Random random, FullQueues fullQueues) {
    super(NO_TIMER_MILLIS, LoadComparator.QUEUE_LENGTH, candidates);
    this.random = random;
    this.avoidsFull = fullQueues == FullQueues.AVOID;
  }

  @Override
  public void addNode(List<NMContainerStatus> containers, RMNode node) {
    super.addNode(containers, node);
    byHost.put(node.getNodeID().getHost(), node.getNodeID());
  }

  /** Sorts the nodes by their last reports. */
  void sort() {
    updateSortedNodes();
  }

  /**
   * Returns whether a container could be placed: whether any candidate's queue is not known to be
   * full.
   */
  boolean hasRoom() {
    if (!avoidsFull) {
      return true;
    }
    if (full) {
      return false;
    }
    for (NodeId node : candidates) {
      ClusterNode known = clusterNodes.get(node);
      if (known.getQueueLength() < known.getQueueCapacity()) {
        return true;
      }
    }
    full = true;
    return false;
  }

  @Override
  public void updateNode(RMNode node) {
    super.updateNode(node);
    full = false;
  }

  @Override
  protected void updateSortedNodes() {
    record Load(NodeId node, int length) {}

    List<Load> loads = new ArrayList<>(clusterNodes.size());
    for (NodeId node : byHost.values()) {
      ClusterNode known = clusterNodes.get(node);
      if (!avoidsFull || !known.isQueueFull()) {
        loads.add(new Load(node, known.getQueueLength()));
      }
    }
    // The sort is stable: nodes with equal queues stay in the order of their names.
    loads.sort(Comparator.comparingInt(Load::length));
    sortedNodes.clear();
    loads.forEach(load -> sortedNodes.add(load.node()));
    candidates = getCandidatesForSelectAnyNode();
    full = false;
  }

  @Override
  public RMNode selectAnyNode(Set<String> blacklist, Resource request) {
    int size = candidates.size();
    int start = size == 0 ? 0 : random.nextInt(size);
    for (int i = 0; i < size; i++) {
      NodeId node = candidates.get((start + i) % size);
      if (!blacklist.contains(node.getHost())
          && (comparator.compareAndIncrement(clusterNodes.get(node), 1, request) || !avoidsFull)) {
        return nodeByHostName.get(node.getHost());
      }
    }
    return null;
  }
}
