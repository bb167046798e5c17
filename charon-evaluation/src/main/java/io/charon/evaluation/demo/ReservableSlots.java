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
 * Best-effort tasks for which there is room beside what is reserved: as many as stock YARN runs at
 * a time. Looked at once a second, because ApplicationMasters come and go.
 */
final class ReservableSlots {
  private final long offeredBytes;
  private final long taskBytes;
  private final List<Double> slots = new ArrayList<>();
  private final List<Double> unused = new ArrayList<>();

  /** Prepares to look; nothing was seen yet. */
  ReservableSlots(WorkloadPlan plan) {
    offeredBytes = (long) plan.nodeManagerMemoryMb() << 20;
    taskBytes = (long) plan.bestEffortTaskMb() << 20;
  }

  /** Takes in one look at all nodes. */
  void seen(List<NodeSampler.NodeMemory> nodes) {
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

  /** How many there are, over the time that was looked at; empty if nothing was seen. */
  OptionalDouble mean() {
    return slots.stream().mapToDouble(Double::doubleValue).average();
  }

  /** Share of the memory beside reservations that is left because tasks have a size. */
  OptionalDouble unusedShare() {
    return Percentiles.median(unused);
  }
}
