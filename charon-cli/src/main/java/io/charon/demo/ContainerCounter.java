/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.cluster.ClusterNode;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.util.Collection;
import java.util.Optional;

/** Adds up what the nodes counted. */
final class ContainerCounter {
  private final StatusClient client;

  ContainerCounter(StatusClient client) {
    this.client = client;
  }

  /** Counts of all nodes together; empty if a node does not answer. */
  Optional<ContainerCounts> count(Collection<ClusterNode> nodes) throws InterruptedException {
    ContainerCounts sum = new ContainerCounts(0, 0, 0, 0);
    for (ClusterNode node : nodes) {
      try {
        sum = sum.plus(countsOf(client.read(node.web())));
      } catch (StatusException noAnswer) {
        return Optional.empty();
      }
    }
    return Optional.of(sum);
  }

  private static ContainerCounts countsOf(JsonNode status) {
    JsonNode counters = status.path("counters");
    return new ContainerCounts(
        counters.path("launched").asLong(),
        counters.path("rejected").asLong(),
        counters.path("shed").asLong(),
        counters.path("killed").asLong());
  }
}
