/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.statistics.Percentiles;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One mode's numbers: the medians of its runs. Percentiles are those of all jobs of all runs.
 *
 * @param mode the mode
 * @param runs its runs, at least one
 */
record ModeSummary(DemoMode mode, List<RunResult> runs) {
  ModeSummary {
    runs = List.copyOf(runs);
  }

  double submitted() {
    return median(run -> run.jobs().size());
  }

  double completed() {
    return median(run -> run.count(JobOutcome.State.COMPLETED));
  }

  double failed() {
    return median(run -> run.count(JobOutcome.State.FAILED));
  }

  double unfinished() {
    return median(run -> run.count(JobOutcome.State.UNFINISHED));
  }

  double productionSeconds() {
    return median(run -> run.production().seconds());
  }

  double productionBusySeconds() {
    return median(run -> run.production().busySeconds());
  }

  /** Percentile of production's batches within the window, seconds. */
  double batchSeconds(double percent) {
    return median(run -> run.production().windowPercentile(percent));
  }

  /** Median batch while production was alone, before best-effort came, seconds. */
  double baselineSeconds() {
    return median(run -> run.production().baselineP50());
  }

  /** Median batch of the window against that of the stretch before it: 1 is as fast. */
  double batchVsOwnBaseline() {
    return median(run -> run.production().vsOwnBaseline());
  }

  /** Tasks with a right result. */
  double tasks() {
    return median(run -> run.work().tasks());
  }

  /** What they read, MB. */
  double verifiedMegabytes() {
    return median(run -> run.work().bytes() / 1e6);
  }

  /** Tasks for which there was room beside reservations; empty if it was not looked at. */
  OptionalDouble slots() {
    return Percentiles.median(
        runs.stream().flatMap(run -> run.slots().mean().stream().boxed()).toList());
  }

  /** Share of the memory beside reservations that is left because tasks have a size. */
  OptionalDouble unusedShare() {
    return Percentiles.median(
        runs.stream().flatMap(run -> run.slots().unusedShare().stream().boxed()).toList());
  }

  /** Percentile of the completion times, seconds; empty if nothing was submitted. */
  OptionalDouble completionSeconds(double percent) {
    return Percentiles.of(
        runs.stream().flatMap(run -> run.completionSeconds().stream()).toList(), percent);
  }

  OptionalDouble memoryUtilization() {
    return Percentiles.median(
        runs.stream().flatMap(run -> run.memoryUtilization().stream().boxed()).toList());
  }

  /** Who takes memory back, the same in all runs. */
  String killer() {
    return runs.get(0).killer();
  }

  /** Percentile over all kernel kills: from the decision to the last SIGKILL, milliseconds. */
  OptionalDouble lastSignalMillis(double percent) {
    return Percentiles.of(kills(Kill::lastSignalMillis), percent);
  }

  /** Percentile over all kernel kills: from the decision until memory was released, ms. */
  OptionalDouble freedMillis(double percent) {
    return Percentiles.of(kills(Kill::freedMillis), percent);
  }

  private List<Double> kills(Function<Kill, OptionalDouble> value) {
    return runs.stream()
        .flatMap(run -> run.kills().stream())
        .map(value)
        .filter(OptionalDouble::isPresent)
        .map(OptionalDouble::getAsDouble)
        .toList();
  }

  /** Medians of the counts; empty if no run has any. */
  Optional<ContainerCounts> containers() {
    List<ContainerCounts> all = runs.stream().flatMap(run -> run.containers().stream()).toList();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ContainerCounts(
            medianOf(all, ContainerCounts::launched),
            medianOf(all, ContainerCounts::rejected),
            medianOf(all, ContainerCounts::shed),
            medianOf(all, ContainerCounts::killed),
            medianOf(all, ContainerCounts::preempted)));
  }

  private double median(ToDoubleFunction<RunResult> value) {
    return medianOf(runs.stream().mapToDouble(value).boxed());
  }

  private static long medianOf(
      Collection<ContainerCounts> counts, ToDoubleFunction<ContainerCounts> value) {
    return Math.round(medianOf(counts.stream().mapToDouble(value).boxed()));
  }

  private static double medianOf(Stream<Double> values) {
    return Percentiles.median(values.toList()).orElseThrow();
  }
}
