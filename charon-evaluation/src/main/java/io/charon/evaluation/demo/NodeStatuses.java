/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.cluster.ClusterNode;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The status documents of all nodes at one instant. */
public record NodeStatuses(List<JsonNode> documents) {
  /** Reads the status of every node; empty if a node does not answer. */
  public static Optional<NodeStatuses> read(StatusClient client, Collection<ClusterNode> nodes)
      throws InterruptedException {
    return readAll(client, nodes.stream().map(ClusterNode::web).toList());
  }

  /** Reads the status of every node by its web address; empty if a node does not answer. */
  static Optional<NodeStatuses> readAll(StatusClient client, Collection<NodeAddress> nodes)
      throws InterruptedException {
    List<JsonNode> documents = new ArrayList<>();
    for (NodeAddress node : nodes) {
      try {
        documents.add(client.read(node));
      } catch (StatusException noAnswer) {
        return Optional.empty();
      }
    }
    return Optional.of(new NodeStatuses(documents));
  }

  /** Returns the sum of the counts of all nodes. */
  public ContainerCounts counts() {
    ContainerCounts sum = new ContainerCounts(0, 0, 0, 0, 0);
    for (JsonNode document : documents) {
      JsonNode counters = document.path("counters");
      sum =
          sum.plus(
              new ContainerCounts(
                  counters.path("launched").asLong(),
                  counters.path("rejected").asLong(),
                  counters.path("shed").asLong(),
                  counters.path("killed").asLong(),
                  counters.path("preemptedByYarn").asLong()));
    }
    return sum;
  }

  /** Returns the kills of all nodes. */
  public List<Kill> kills() {
    List<Kill> kills = new ArrayList<>();
    for (JsonNode document : documents) {
      document.path("kills").forEach(kill -> kills.add(Kill.of(kill)));
    }
    return kills;
  }

  /**
   * Returns the killer in charge on the first node, such as {@code kernel 1} or {@code user-space}.
   */
  public String killer() {
    JsonNode killer = documents.get(0).path("killer");
    String inCharge = killer.path("inCharge").asText("-");
    return inCharge.equals("kernel") ? "kernel " + killer.path("tier").asText() : inCharge;
  }
}
