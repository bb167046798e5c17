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
 * A cluster at one moment.
 *
 * @param time of the ResourceManager's clock
 * @param counted for how long kills and refusals have been counted, an hour at most; zero if nobody
 *     counts them
 * @param lostNodes nodes that are not heard of any more
 * @param scheme of the nodes' web servers, as {@code http}
 * @param nodes all others, each once
 */
public record ClusterStatus(
    Instant time, Duration counted, int lostNodes, String scheme, List<NodeRow> nodes) {

  public ClusterStatus {
    nodes = List.copyOf(nodes);
  }
}
