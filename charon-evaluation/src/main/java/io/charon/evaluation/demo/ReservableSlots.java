/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.statistics.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The number of best-effort tasks that fit beside the reservations, which is how many stock YARN
 * runs at the same time. Sampled once a second, because ApplicationMasters start and end.
 */
final class ReservableSlots {
  private final long offeredBytes;
  private final long taskBytes;
  private final List<Double> slots = new ArrayList<>();
  private final List<Double> unused = new ArrayList<>();

  /** Creates an object without samples. */
  ReservableSlots(WorkloadPlan plan) {
    offeredBytes = (long) plan.nodeManagerMemoryMb() << 20;
    taskBytes = (long) plan.bestEffortTaskMb() << 20;
  }

  /** Adds one sample of all nodes. */
  void add(List<NodeSampler.NodeMemory> nodes) {
    long fit = 0;
    long free = 0;
    for (NodeSampler.NodeMemory node : nodes) {
      long left = Math.max(0, offeredBytes - node.reservedBytes());
      fit += left / taskBytes;
      free += left;
    }
    slots.add((double) fit);
    unused.add(free == 0 ? 0 : 1 - (double) (fit * taskBytes) / free);
  }

  /** Returns the mean number of tasks over the samples; empty without samples. */
  OptionalDouble mean() {
    return slots.stream().mapToDouble(Double::doubleValue).average();
  }

  /**
   * Returns the median share of unreserved memory that is too small for a further task, 0 to 1;
   * empty without samples.
   */
  OptionalDouble unusedShare() {
    return Percentiles.median(unused);
  }
}
