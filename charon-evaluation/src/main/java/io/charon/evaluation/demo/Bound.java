/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.OptionalDouble;

/**
 * How much more best-effort work than stock YARN does there can be, by what was measured in the
 * same run.
 *
 * @param memorySlots tasks that the memory holds which production and ApplicationMasters do not use
 * @param processorSlots tasks that the processors hold which do nothing else in mode alone
 * @param stockSlots tasks for which there is room beside reservations
 */
record Bound(double memorySlots, double processorSlots, double stockSlots) {
  /** The bound; empty unless modes alone, stock YARN and Charon ran and were seen. */
  static OptionalDouble factor(DemoResult result) {
    Bound bound = of(result);
    return bound == null ? OptionalDouble.empty() : OptionalDouble.of(bound.factor());
  }

  /** Computes the parts; null unless modes alone, stock YARN and Charon ran and were seen. */
  static Bound of(DemoResult result) {
    ModeSummary alone = result.modes().get(DemoMode.ALONE);
    ModeSummary stock = result.modes().get(DemoMode.STOCK_YARN);
    ModeSummary charon = result.modes().get(DemoMode.CHARON);
    if (alone == null || stock == null || charon == null || stock.slots().isEmpty()) {
      return null;
    }
    WorkloadPlan plan = result.plan();
    ContainerUse use = new ContainerUse(charon.runs().get(0).observations(), plan);
    double limitBytes = (double) plan.nodes() * ((long) plan.nodeMemoryMb() << 20);
    double freeBytes =
        limitBytes * (1 - alone.memoryUtilization().orElse(1)) - use.bestEffortMasterBytes();
    return new Bound(
        freeBytes / use.taskBytes(),
        processorSlots(alone, charon, use.runningTasks()),
        stock.slots().getAsDouble());
  }

  private static double processorSlots(ModeSummary alone, ModeSummary charon, double running) {
    double idle = idleProcessors(alone);
    double taken = idle - idleProcessors(charon);
    // Best-effort that costs nothing that could be seen is not limited by processors.
    return taken > 0 ? idle / (taken / running) : Double.POSITIVE_INFINITY;
  }

  private static double idleProcessors(ModeSummary mode) {
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
