/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.stop.StopOrder;
import java.util.List;
import java.util.Optional;

/**
 * The state of stops, for status pages.
 *
 * @param order the order that holds on this node: the harsher of the node's and the cluster's
 * @param fromCluster whether it is the cluster's order
 * @param readMillis modification time of the overrides file when its order was last read,
 *     milliseconds since 1970; 0 if there is none
 * @param problem why the node's own order is not in use; empty if it is
 * @param unavailable why the order cannot be carried out here, with the cure; empty if it can
 * @param frozen ids of the best-effort containers that the order keeps frozen
 * @param cluster the state of the ResourceManagers; empty if none is queried
 */
public record StopState(
    StopOrder order,
    boolean fromCluster,
    long readMillis,
    Optional<String> problem,
    Optional<String> unavailable,
    List<String> frozen,
    Optional<ClusterOrders.State> cluster) {
  /** Returns the same state with that of the ResourceManagers. */
  public StopState with(Optional<ClusterOrders.State> heard) {
    return new StopState(order, fromCluster, readMillis, problem, unavailable, frozen, heard);
  }

  /** Returns the state without any order. */
  public static StopState notStopped() {
    return new StopState(
        StopOrder.never(),
        false,
        0,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }
}
