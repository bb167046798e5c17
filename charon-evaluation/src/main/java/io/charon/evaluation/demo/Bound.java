/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.OptionalDouble;

/**
 * The upper bound of the ratio of best-effort work to that of stock YARN, computed from
 * measurements of the same run.
 *
 * @param memorySlots number of tasks that fit into the memory that neither production nor
 *     ApplicationMasters use
 * @param processorSlots number of tasks that the processors which are idle in mode alone can run
 * @param stockSlots number of tasks that fit beside the reservations
 */
record Bound(double memorySlots, double processorSlots, double stockSlots) {
  /**
   * Returns the bound; empty unless modes alone, stock YARN and Charon ran and stock YARN was
   * sampled.
   */
  static OptionalDouble factor(DemoResult result) {
    Bound bound = of(result);
    return bound == null ? OptionalDouble.empty() : OptionalDouble.of(bound.factor());
  }

  /**
   * Computes the parts of the bound; null unless modes alone, stock YARN and Charon ran and stock
   * YARN was sampled.
   */
  static Bound of(DemoResult result) {
    DemoModeSummary alone = result.modes().get(DemoMode.ALONE);
    DemoModeSummary stock = result.modes().get(DemoMode.STOCK_YARN);
    DemoModeSummary charon = result.modes().get(DemoMode.CHARON);
    if (alone == null || stock == null || charon == null || stock.slots().isEmpty()) {
      return null;
    }
    WorkloadPlan plan = result.plan();
    ContainerResourceUse use = new ContainerResourceUse(charon.runs().get(0).observations(), plan);
    double limitBytes = (double) plan.nodes() * ((long) plan.nodeMemoryMb() << 20);
    double freeBytes =
        limitBytes * (1 - alone.memoryUtilization().orElse(1)) - use.bestEffortMasterBytes();
    return new Bound(
        freeBytes / use.taskBytes(),
        processorSlots(alone, charon, use.runningTasks()),
        stock.slots().getAsDouble());
  }

  private static double processorSlots(
      DemoModeSummary alone, DemoModeSummary charon, double running) {
    double idle = idleProcessors(alone);
    double taken = idle - idleProcessors(charon);
    // Processors do not limit best-effort if its processor time cannot be measured.
    return taken > 0 ? idle / (taken / running) : Double.POSITIVE_INFINITY;
  }

  private static double idleProcessors(DemoModeSummary mode) {
    return mode.runs().get(0).observations().machine().stream()
        .mapToDouble(
            load ->
                load.processors() - (load.busySeconds() + load.stolenSeconds()) / load.seconds())
        .findFirst()
        .orElse(Double.NaN);
  }

  double factor() {
    return Math.min(memorySlots, processorSlots) / stockSlots;
  }
}
