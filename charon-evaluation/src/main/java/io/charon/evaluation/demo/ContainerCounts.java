/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * Counts of container events on the nodes.
 *
 * @param launched best-effort containers that started
 * @param rejected best-effort containers rejected because the queue was full
 * @param shed best-effort containers that the ResourceManager removed from a queue
 * @param killed containers killed for memory, by Charon or the kernel
 * @param preempted best-effort containers that YARN killed to make room for a reservation
 */
public record ContainerCounts(
    long launched, long rejected, long shed, long killed, long preempted) {
  ContainerCounts plus(ContainerCounts other) {
    return new ContainerCounts(
        launched + other.launched,
        rejected + other.rejected,
        shed + other.shed,
        killed + other.killed,
        preempted + other.preempted);
  }

  /** Returns the events since earlier counts. */
  ContainerCounts minus(ContainerCounts earlier) {
    return new ContainerCounts(
        launched - earlier.launched,
        rejected - earlier.rejected,
        shed - earlier.shed,
        killed - earlier.killed,
        preempted - earlier.preempted);
  }
}
