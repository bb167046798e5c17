/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.sls.node.NodeSize;
import java.time.Duration;
import java.util.Objects;

/**
 * How a cluster is built.
 *
 * @param nodes how many, 1 to 60,000
 * @param size of each
 * @param queueLimit best-effort containers that may wait on a node (Charon paper: 10 in simulation)
 * @param masterBytes memory that an ApplicationMaster asks for and uses
 * @param heartbeat of nodes and ApplicationMasters; YARN's default is 1 s
 * @param masterStart from the allocation of an ApplicationMaster's container until it asks for its
 *     tasks' containers (ours)
 * @param launch from the allocation of a container until it arrives at its node (ours)
 * @param killsAreFailures whether a kill for memory counts as a failure of the task, as in the
 *     paper
 */
public record ClusterSettings(
    int nodes,
    NodeSize size,
    int queueLimit,
    long masterBytes,
    Duration heartbeat,
    Duration masterStart,
    Duration launch,
    boolean killsAreFailures) {
  /** Checks the ranges. */
  public ClusterSettings {
    Objects.requireNonNull(size, "size");
    if (nodes < 1 || nodes > 60_000 || queueLimit < 1 || masterBytes < 1) {
      throw new IllegalArgumentException(
          "a cluster needs 1 to 60000 nodes, a queue limit and memory for ApplicationMasters,"
              + " got %d, %d, %d".formatted(nodes, queueLimit, masterBytes));
    }
  }

  /** The paper's simulation (section 5.5): nodes of 32 cores and 128 GB, 10 may wait. */
  public static ClusterSettings paper(int nodes) {
    return new ClusterSettings(
        nodes,
        new NodeSize(128L << 30, 32, 128L << 30),
        10,
        1L << 29,
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofMillis(50),
        true);
  }

  /** The same, with kills counted or not. */
  public ClusterSettings withKillsAsFailures(boolean failures) {
    return new ClusterSettings(
        nodes, size, queueLimit, masterBytes, heartbeat, masterStart, launch, failures);
  }
}
