/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.ContainerTrace.Role;
import io.charon.evaluation.statistics.Percentiles;
import java.util.List;

/** Resource use of a run's containers within the window. */
final class ContainerResourceUse {
  private static final double MEBIBYTE = 1 << 20;

  private final Observations seen;
  private final WorkloadPlan plan;
  private final double windowSeconds;

  ContainerResourceUse(Observations seen, WorkloadPlan plan) {
    this.seen = seen;
    this.plan = plan;
    this.windowSeconds = plan.times().window().toMillis() / 1000.0;
  }

  /**
   * Returns the median of the best-effort tasks' peak memory, bytes; NaN if no task was seen to
   * end.
   */
  double taskBytes() {
    return Percentiles.median(
            tasks().stream()
                .filter(ContainerTrace::ended)
                .map(
                    task ->
                        (double)
                            task.points().stream()
                                .mapToLong(ContainerTrace.Point::bytes)
                                .max()
                                .orElse(0))
                .toList())
        .orElse(Double.NaN);
  }

  /** Returns {@link #taskBytes} as a share of the request, 0 to 1. */
  double taskShare() {
    return taskBytes() / MEBIBYTE / plan.bestEffortTaskMb();
  }

  /** Returns the mean memory use of production's tasks as a share of their reservations, 0 to 1. */
  double productionShare() {
    double bytes =
        seen.containers().stream()
            .filter(this::belongsToProduction)
            .filter(container -> container.role() == Role.MAP)
            .mapToDouble(this::meanBytes)
            .sum();
    return bytes / MEBIBYTE / (plan.nodes() * plan.productionTaskMb());
  }

  /** Returns the mean number of best-effort tasks that ran at the same time. */
  double runningTasks() {
    return tasks().stream().mapToDouble(this::secondsInWindow).sum() / windowSeconds;
  }

  /**
   * Returns the mean number of processors that best-effort used, its ApplicationMasters included.
   */
  double bestEffortProcessors() {
    return seen.containers().stream()
            .filter(container -> !belongsToProduction(container))
            .flatMapToDouble(
                container ->
                    container.points().stream()
                        .filter(point -> point.seconds() <= windowSeconds)
                        .mapToDouble(ContainerTrace.Point::processorSeconds)
                        .max()
                        .stream())
            .sum()
        / windowSeconds;
  }

  /** Returns the mean memory of best-effort's ApplicationMasters, bytes. */
  double bestEffortMasterBytes() {
    return seen.containers().stream()
        .filter(container -> !belongsToProduction(container) && container.role() == Role.MASTER)
        .mapToDouble(this::meanBytes)
        .sum();
  }

  private List<ContainerTrace> tasks() {
    return seen.containers().stream()
        .filter(container -> !belongsToProduction(container))
        .filter(container -> container.role() != Role.MASTER)
        .filter(container -> container.role() != Role.UNKNOWN)
        .toList();
  }

  private boolean belongsToProduction(ContainerTrace container) {
    return container.address().application().equals(seen.production().application());
  }

  private double secondsInWindow(ContainerTrace container) {
    return Math.max(
        0, Math.min(container.endSeconds(), windowSeconds) - Math.max(container.startSeconds(), 0));
  }

  /** Averages over the whole window, including the time in which the container did not run. */
  private double meanBytes(ContainerTrace container) {
    return container.points().stream()
            .filter(point -> point.seconds() >= 0 && point.seconds() <= windowSeconds)
            .mapToLong(ContainerTrace.Point::bytes)
            .average()
            .orElse(0)
        * secondsInWindow(container)
        / windowSeconds;
  }
}
