/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.mechanisms.stop.ClusterOrders;
import io.charon.nodemanager.mechanisms.stop.StopState;
import java.time.Instant;

/** Converts stops to their form in the status document. */
final class StopDocuments {
  private static final double MILLIS_PER_SECOND = 1000;

  private StopDocuments() {}

  static StopDocument stop(StopState state) {
    StopOrder order = state.order();
    return new StopDocument(
        new StopDocument.Order(
            order.action().label(),
            state.fromCluster() ? "cluster" : "node",
            absentIfEmpty(order.by()),
            order.since().equals(Instant.EPOCH) ? null : order.since().toString(),
            absentIfEmpty(order.reason())),
        state.frozen().size(),
        state.frozen().isEmpty() ? null : state.frozen(),
        state.readMillis(),
        state.problem().orElse(null),
        order.stops() ? state.unavailable().orElse(null) : null,
        state.cluster().map(StopDocuments::cluster).orElse(null));
  }

  private static StopDocument.ClusterWord cluster(ClusterOrders.State heard) {
    return new StopDocument.ClusterWord(
        absentIfEmpty(heard.server()),
        heard.ageMillis() < 0 ? null : heard.ageMillis() / MILLIS_PER_SECOND,
        heard.problem().orElse(null));
  }

  private static String absentIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }
}
