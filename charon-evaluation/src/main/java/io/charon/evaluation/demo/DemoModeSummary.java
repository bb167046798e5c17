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
 * The values of one mode: medians over its runs. Percentiles of completion times and of kills are
 * over those of all runs.
 *
 * @param mode the mode
 * @param runs runs of the mode, at least one
 */
record DemoModeSummary(DemoMode mode, List<DemoRunResult> runs) {
  DemoModeSummary {
    runs = List.copyOf(runs);
  }

  /** Returns the values of a single run. */
  static DemoModeSummary of(DemoRunResult run) {
    return new DemoModeSummary(run.mode(), List.of(run));
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

  /** Returns the percentile of production's batches within the window, seconds. */
  double batchSeconds(double percent) {
    return median(run -> run.production().windowPercentile(percent));
  }

  /** Returns the median batch of production alone, before and after the window, seconds. */
  double baselineSeconds() {
    return median(run -> run.production().baselineP50());
  }

  /** Returns the median batch of production alone before the window, seconds. */
  double beforeSeconds() {
    return median(run -> run.production().beforeP50());
  }

  /** Returns the median batch of production alone after the window, seconds. */
  double afterSeconds() {
    return median(run -> run.production().afterP50());
  }

  /** Returns the relative error with which production's speed alone is known. */
  double paceError() {
    return median(DemoRunResult::paceError);
  }

  /**
   * Returns the median batch of the window relative to that of the baseline; 1 means equally fast.
   */
  double batchVsOwnBaseline() {
    return median(run -> run.production().vsOwnBaseline());
  }

  /** Returns the number of tasks whose result is right. */
  double tasks() {
    return median(run -> run.work().tasks());
  }

  /** Returns the data read by tasks whose result is right, MB. */
  double verifiedMegabytes() {
    return median(run -> run.work().bytes() / 1e6);
  }

  /** Returns the number of tasks that fit beside the reservations; empty if it was not sampled. */
  OptionalDouble slots() {
    return Percentiles.median(
        runs.stream().flatMap(run -> run.memory().slots().mean().stream().boxed()).toList());
  }

  /**
   * Returns the share of unreserved memory that is too small for a further task, 0 to 1; empty if
   * it was not sampled.
   */
  OptionalDouble unusableShare() {
    return Percentiles.median(
        runs.stream().flatMap(run -> run.memory().slots().unusedShare().stream().boxed()).toList());
  }

  /** Returns the percentile of the completion times, seconds; empty if no job was submitted. */
  OptionalDouble completionSeconds(double percent) {
    return Percentiles.of(
        runs.stream().flatMap(run -> run.completionSeconds().stream()).toList(), percent);
  }

  OptionalDouble memoryUtilization() {
    return Percentiles.median(
        runs.stream().flatMap(run -> run.memory().utilization().stream().boxed()).toList());
  }

  /** Returns the component that reclaims memory, which is the same in all runs. */
  String killer() {
    return runs.get(0).nodes().killer();
  }

  /**
   * Returns the percentile, over all kernel kills, of the time from the decision to the last
   * SIGKILL, milliseconds.
   */
  OptionalDouble lastSignalMillis(double percent) {
    return Percentiles.of(kills(Kill::lastSignalMillis), percent);
  }

  /**
   * Returns the percentile, over all kernel kills, of the time from the decision until the memory
   * was released, milliseconds.
   */
  OptionalDouble freedMillis(double percent) {
    return Percentiles.of(kills(Kill::freedMillis), percent);
  }

  private List<Double> kills(Function<Kill, OptionalDouble> value) {
    return runs.stream()
        .flatMap(run -> run.nodes().kills().stream())
        .map(value)
        .filter(OptionalDouble::isPresent)
        .map(OptionalDouble::getAsDouble)
        .toList();
  }

  /** Returns the medians of the counts; empty if no run has counts. */
  Optional<ContainerCounts> containers() {
    List<ContainerCounts> all =
        runs.stream().flatMap(run -> run.nodes().containers().stream()).toList();
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

  private double median(ToDoubleFunction<DemoRunResult> value) {
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
