/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.cluster.RemoteCluster;
import io.charon.evaluation.demo.Applications;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a cluster does now.
 *
 * @param nodes in the order of their names
 * @param jobs in the order of their submission
 */
public record ClusterStatus(List<NodeUse> nodes, List<Applications.Description> jobs) {
  /** Copies the lists. */
  public ClusterStatus {
    nodes = List.copyOf(nodes);
    jobs = List.copyOf(jobs);
  }

  /**
   * One node.
   *
   * @param memoryBytes memory of the node
   * @param usedBytes what of it is in use
   * @param reservedBytes what of it the ResourceManager has given away
   * @param running best-effort containers that run
   * @param queued best-effort containers that wait
   */
  public record NodeUse(
      ClusterState.Node node,
      long memoryBytes,
      long usedBytes,
      long reservedBytes,
      int running,
      int queued) {
    /** Memory that is not in use. */
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
   * Asks the daemons.
   *
   * @param configuration directory of the clients' configuration
   * @throws IOException if one does not answer; the message says which
   */
  public static ClusterStatus read(ClusterState state, Path configuration)
      throws IOException, InterruptedException {
    RemoteCluster cluster = RemoteCluster.of(configuration, state.workDirectory());
    StatusClient client = new StatusClient();
    try (Applications applications = new Applications(cluster.clientConfiguration())) {
      List<Long> reservedMb = applications.reservedMb();
      List<NodeUse> nodes = new ArrayList<>();
      for (ClusterState.Node node : state.address().orElseThrow().nodes()) {
        // A node that the ResourceManager has lost reserves nothing.
        long reserved = nodes.size() < reservedMb.size() ? reservedMb.get(nodes.size()) : 0;
        nodes.add(NodeUse.of(node, client.read(node.web()), reserved));
      }
      return new ClusterStatus(nodes, applications.descriptions());
    } catch (StatusException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
