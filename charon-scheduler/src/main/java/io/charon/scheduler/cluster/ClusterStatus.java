/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The state of a cluster at one moment.
 *
 * @param time time of the ResourceManager's clock
 * @param counted time for which kills and refusals have been counted, at most an hour; zero if they
 *     are not counted
 * @param lostNodes number of nodes in state LOST
 * @param scheme scheme of the nodes' web servers, such as {@code http}
 * @param nodes the registered nodes, without duplicates
 */
public record ClusterStatus(
    Instant time, Duration counted, int lostNodes, String scheme, List<NodeRow> nodes) {

  public ClusterStatus {
    nodes = List.copyOf(nodes);
  }
}
