/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.demo.BestEffortOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The best-effort submissions of a run. */
final class BestEffortLoad {
  private BestEffortLoad() {}

  /**
   * The submissions of X1, each repeated (paper, section 5.3: X2, X3); kinds take turns. Copies
   * follow at equal distances: the start of many JVMs at the same instant would measure processors.
   *
   * @param load how often each is repeated; 0 for no jobs
   */
  static List<BestEffortOrder> orders(ClusterPlan plan, List<Path> parts, int load) {
    List<BestEffortOrder> once =
        BestEffortOrder.stream(
            parts, ClusterPlan.MAPS, ClusterPlan.SUBMISSION_INTERVAL, plan.submissions());
    List<BestEffortOrder> orders = new ArrayList<>();
    for (BestEffortOrder order : once) {
      for (int copy = 0; copy < load; copy++) {
        Duration later = ClusterPlan.SUBMISSION_INTERVAL.multipliedBy(copy).dividedBy(load);
        orders.add(
            new BestEffortOrder(
                orders.size(), order.kind(), order.at().plus(later), order.input()));
      }
    }
    return orders;
  }
}
