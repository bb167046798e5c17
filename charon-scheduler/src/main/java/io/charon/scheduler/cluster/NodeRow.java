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
 * One node. Numbers that its NodeManager tells with its heartbeats are missing before the first
 * one.
 *
 * @param node its host and port in YARN
 * @param state of YARN, as RUNNING
 * @param health what is wrong with it; nothing if it is healthy
 * @param web host and port of its NodeManager's web server; nothing if it has none
 * @param capacityMebibytes what production may reserve
 * @param reservedMebibytes what GUARANTEED containers asked for and got; best-effort ones reserve
 *     nothing
 * @param usedMebibytes physical memory that all containers use
 * @param machineUsedMebibytes physical memory that the whole machine uses
 * @param bestEffort its best-effort containers
 */
public record NodeRow(
    String node,
    String state,
    Optional<String> health,
    Optional<String> web,
    long capacityMebibytes,
    long reservedMebibytes,
    OptionalLong usedMebibytes,
    OptionalLong machineUsedMebibytes,
    BestEffort bestEffort) {

  /**
   * The best-effort containers of a node.
   *
   * @param running containers
   * @param queued containers that wait on the node
   * @param requestedGibibytes what those that run asked for; YARN rounds it up
   * @param waitMillis what the node expects a newcomer to wait; nothing if it tells none
   * @param killed in the last hour: for memory, or to make room for production
   * @param refused in the last hour: the queue was full, or was shortened
   */
  public record BestEffort(
      int running,
      int queued,
      long requestedGibibytes,
      OptionalInt waitMillis,
      OptionalInt killed,
      OptionalInt refused) {}
}
