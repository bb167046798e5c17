/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.stop;

import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The orders that a node has received from the cluster's ResourceManagers, each of which reports
 * the file of its own host. The newest order applies, whichever ResourceManager is active: so a
 * failover to one that knows of no stop does not resume best-effort, and an operator needs to give
 * an order to one ResourceManager only. The last order of a silent ResourceManager stays valid.
 * Times are wall-clock times, because orders outlive processes. Not thread-safe.
 */
public final class ClusterStopOrders {
  private final Map<String, StopOrder> orders = new TreeMap<>();
  private OptionalLong heardMillis = OptionalLong.empty();

  /**
   * Records the answer of a ResourceManager, which replaces its previous one.
   *
   * @param server the ResourceManager
   * @param order the order in the file of its host; {@link StopOrder#never} if there is none
   * @param nowMillis the current time, milliseconds since 1970
   */
  public void answered(String server, StopOrder order, long nowMillis) {
    orders.put(server, order);
    heardMillis = OptionalLong.of(nowMillis);
  }

  /**
   * Records what a ResourceManager answered before a restart of this node, at a time that is not
   * known.
   *
   * @param server the ResourceManager
   * @param order its order
   */
  public void remembered(String server, StopOrder order) {
    orders.put(server, order);
  }

  /** Returns the order that applies in the cluster. */
  public StopOrder order() {
    return orders.values().stream()
        .max(Comparator.comparing(StopOrder::since).thenComparing(StopOrder::action))
        .orElse(StopOrder.never());
  }

  /** Returns the ResourceManager that reported this order; empty if none has answered. */
  public String server() {
    StopOrder order = order();
    return orders.entrySet().stream()
        .filter(word -> word.getValue().equals(order))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  /**
   * Returns the time of the last answer of any ResourceManager, milliseconds since 1970; empty if
   * there was none since the start.
   */
  public OptionalLong lastAnswerMillis() {
    return heardMillis;
  }
}
