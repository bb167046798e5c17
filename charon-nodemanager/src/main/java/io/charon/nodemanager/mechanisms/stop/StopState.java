/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.stop.StopOrder;
import java.util.Optional;

/**
 * What people see of stops.
 *
 * @param order what holds on this node: the harsher of its own and the cluster's
 * @param fromCluster whether that is the cluster's
 * @param readMillis modification time of the overrides file when its order was read last,
 *     milliseconds since 1970; 0 if there is none
 * @param problem why the node's own order is not in use; empty if it is
 * @param unavailable why what is ordered cannot be done here, with the cure; empty if it can
 * @param frozen best-effort containers that stand still because of it
 * @param cluster what was heard of the ResourceManagers; empty if nobody is asked
 */
public record StopState(
    StopOrder order,
    boolean fromCluster,
    long readMillis,
    Optional<String> problem,
    Optional<String> unavailable,
    int frozen,
    Optional<ClusterOrders.State> cluster) {
  /** The same with what was heard of the cluster. */
  public StopState with(Optional<ClusterOrders.State> heard) {
    return new StopState(order, fromCluster, readMillis, problem, unavailable, frozen, heard);
  }

  /** Nobody ever ordered anything. */
  public static StopState notStopped() {
    return new StopState(
        StopOrder.never(), false, 0, Optional.empty(), Optional.empty(), 0, Optional.empty());
  }
}
