/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.cluster.RemoteCluster;
import io.charon.evaluation.demo.DemoApplications;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The current state of a cluster's nodes and jobs.
 *
 * @param nodes the nodes, in the order of their names
 * @param jobs the jobs, in the order of submission
 */
public record PlaygroundStatus(List<NodeUse> nodes, List<DemoApplications.Description> jobs) {
  /** Copies the lists. */
  public PlaygroundStatus {
    nodes = List.copyOf(nodes);
    jobs = List.copyOf(jobs);
  }

  /**
   * The use of one node.
   *
   * @param node the node
   * @param memoryBytes memory of the node
   * @param usedBytes memory of the node that is in use
   * @param reservedBytes memory of the node that the ResourceManager has allocated
   * @param running number of running best-effort containers
   * @param queued number of waiting best-effort containers
   */
  public record NodeUse(
      ClusterState.Node node,
      long memoryBytes,
      long usedBytes,
      long reservedBytes,
      int running,
      int queued) {
    /** Returns the memory that is not in use, bytes. */
    public long idleBytes() {
      return memoryBytes - usedBytes;
    }

    private static NodeUse of(ClusterState.Node node, JsonNode status, long reservedMb) {
      JsonNode memory = status.path("node");
      int running = 0;
      for (JsonNode container : status.path("running")) {
        running += container.path("executionType").asText().equals("opportunistic") ? 1 : 0;
      }
      return new NodeUse(
          node,
          memory.path("capacityBytes").asLong(),
          memory.path("capacityBytes").asLong() - memory.path("availableBytes").asLong(),
          reservedMb << 20,
          running,
          status.path("queued").size());
    }
  }

  /**
   * Reads the status from the daemons.
   *
   * @param configuration configuration directory of the clients
   * @throws IOException if a daemon does not answer; the message says which
   */
  public static PlaygroundStatus read(ClusterState state, Path configuration)
      throws IOException, InterruptedException {
    RemoteCluster cluster = RemoteCluster.of(configuration, state.workDirectory());
    StatusClient client = new StatusClient();
    try (DemoApplications applications = new DemoApplications(cluster.clientConfiguration())) {
      Map<String, Long> reservedMb = applications.reservedMb();
      List<NodeUse> nodes = new ArrayList<>();
      for (ClusterState.Node node : state.address().orElseThrow().nodes()) {
        // A node that the ResourceManager has lost has no entry.
        nodes.add(
            NodeUse.of(node, client.read(node.web()), reservedMb.getOrDefault(node.name(), 0L)));
      }
      return new PlaygroundStatus(nodes, applications.descriptions());
    } catch (StatusException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
