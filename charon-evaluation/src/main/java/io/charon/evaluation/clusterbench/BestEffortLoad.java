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

/** Generates the best-effort submissions of a run. */
final class BestEffortLoad {
  private BestEffortLoad() {}

  /**
   * Returns the submissions of X1, each repeated (paper, section 5.3: X2, X3), cycling through the
   * kinds of jobs. Copies follow at equal intervals, because starting many JVMs at the same time
   * would measure the processors.
   *
   * @param load number of copies of each submission; 0 for no jobs
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
