/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.ClusterNode;
import io.charon.evaluation.demo.DemoRunResult.MemorySample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Samples the memory of all nodes. */
public final class NodeSampler {
  private static final long MEBIBYTE = 1L << 20;

  private final List<ClusterNode> nodes;
  private final DemoApplications applications;
  private final long limitBytesPerNode;
  private final List<MemorySample> samples = new ArrayList<>();

  /** Creates a sampler without samples. */
  public NodeSampler(
      List<ClusterNode> nodes, DemoApplications applications, long limitBytesPerNode) {
    this.nodes = List.copyOf(nodes);
    this.applications = applications;
    this.limitBytesPerNode = limitBytesPerNode;
  }

  /**
   * Memory of one node at one instant.
   *
   * @param usedBytes working set of the node
   * @param reservedBytes memory of the node that the ResourceManager has allocated
   * @param limitBytes memory of the node
   */
  public record NodeMemory(String name, long usedBytes, long reservedBytes, long limitBytes) {}

  /** Takes a sample and returns it node by node. */
  public List<NodeMemory> sample(double seconds) throws IOException {
    Map<String, Long> reservedMb = applications.reservedMb();
    List<NodeMemory> now = new ArrayList<>();
    for (ClusterNode node : nodes) {
      long reserved = reservedMb.getOrDefault(node.hostName(), 0L) * MEBIBYTE;
      now.add(new NodeMemory(node.hostName(), node.workingSetBytes(), reserved, limitBytesPerNode));
    }
    samples.add(
        new MemorySample(
            seconds,
            now.stream().mapToLong(NodeMemory::usedBytes).sum(),
            now.stream().mapToLong(NodeMemory::reservedBytes).sum(),
            limitBytesPerNode * nodes.size()));
    return now;
  }

  /** Returns all samples so far. */
  public List<MemorySample> samples() {
    return List.copyOf(samples);
  }

  /**
   * Returns the time-weighted mean of used memory relative to the limit, 0 to 1, between the first
   * sample and the end of the window; NaN with fewer than two samples in the window.
   */
  public static double utilization(List<MemorySample> samples, double windowSeconds) {
    double area = 0;
    double time = 0;
    for (int i = 1; i < samples.size(); i++) {
      MemorySample from = samples.get(i - 1);
      MemorySample to = samples.get(i);
      if (to.seconds() <= windowSeconds) {
        double step = to.seconds() - from.seconds();
        area += step * (share(from) + share(to)) / 2;
        time += step;
      }
    }
    return time > 0 ? area / time : Double.NaN;
  }

  private static double share(MemorySample sample) {
    return (double) sample.usedBytes() / sample.limitBytes();
  }
}
