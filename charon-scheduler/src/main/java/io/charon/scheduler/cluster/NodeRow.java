/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.cluster;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The state of one node. Values that its NodeManager reports with its heartbeats are missing before
 * the first heartbeat.
 *
 * @param node its host and port in YARN
 * @param state its state in YARN, such as RUNNING
 * @param health the problem of an unhealthy node; empty if it is healthy
 * @param web host and port of its NodeManager's web server; empty if it has none
 * @param memory its memory
 * @param bestEffort its best-effort containers
 */
public record NodeRow(
    String node,
    String state,
    Optional<String> health,
    Optional<String> web,
    Memory memory,
    BestEffort bestEffort) {

  /**
   * The memory of a node.
   *
   * @param capacityMebibytes memory that production may reserve
   * @param reservedMebibytes memory allocated to GUARANTEED containers; best-effort containers
   *     reserve nothing
   * @param usedMebibytes physical memory that all containers use
   * @param machineUsedMebibytes physical memory that the whole machine uses
   */
  public record Memory(
      long capacityMebibytes,
      long reservedMebibytes,
      OptionalLong usedMebibytes,
      OptionalLong machineUsedMebibytes) {}

  /**
   * The best-effort containers of a node.
   *
   * @param running number of containers that live on the node and do not wait there
   * @param queued number of containers that wait on the node
   * @param requestedGibibytes requested memory of the running containers, and of those that were
   *     promoted while they ran; YARN rounds it up
   * @param waitMillis wait that the node expects for a new container; empty if it reports none
   * @param killed number of containers killed in the last hour, for memory or to make room for
   *     production
   * @param refused number of containers refused in the last hour, because the queue was full or was
   *     shortened
   */
  public record BestEffort(
      int running,
      int queued,
      long requestedGibibytes,
      OptionalInt waitMillis,
      OptionalInt killed,
      OptionalInt refused) {}
}
