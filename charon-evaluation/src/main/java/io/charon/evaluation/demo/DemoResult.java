/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The result of one run of all modes.
 *
 * @param modes the modes, in the order in which they ran
 * @param discarded measurements that are not compared, because the machine did not keep its pace
 * @param plan the workload
 * @param hadoopVersion version of the daemons
 * @param executor the container executor, {@code default} or {@code linux}
 * @param seconds duration of the run
 */
record DemoResult(
    Map<DemoMode, DemoModeSummary> modes,
    List<DemoRunResult> discarded,
    WorkloadPlan plan,
    String hadoopVersion,
    String executor,
    double seconds) {
  /** Returns all measurements, also those that are not compared: none may have wrong results. */
  Stream<DemoRunResult> measurements() {
    return Stream.concat(
        modes.values().stream().flatMap(mode -> mode.runs().stream()), discarded.stream());
  }

  /** Returns the checks and whether each passed. */
  List<DemoVerdict> verdicts() {
    return Verdicts.of(this);
  }

  /** Returns the outcome of the run as a whole. */
  DemoOutcome outcome() {
    return DemoOutcome.of(verdicts());
  }

  /** Returns the largest relative error with which a mode knows production's speed alone. */
  double paceError() {
    return modes.values().stream().mapToDouble(DemoModeSummary::paceError).max().orElseThrow();
  }

  /** Returns whether every best-effort result is right. */
  boolean outputsAreRight() {
    return measurements().allMatch(run -> run.problems().outputs().isEmpty());
  }
}
