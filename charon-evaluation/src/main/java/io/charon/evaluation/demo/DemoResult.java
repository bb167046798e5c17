/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.List;
import java.util.Map;

/**
 * Everything that one run of all modes found.
 *
 * @param modes the modes, in the order they ran
 * @param plan the workload
 * @param hadoopVersion version of the daemons
 * @param executor {@code default} or {@code linux}, by which containers were run
 * @param seconds how long it took
 */
record DemoResult(
    Map<DemoMode, ModeSummary> modes,
    WorkloadPlan plan,
    String hadoopVersion,
    String executor,
    double seconds) {

  /** What was promised, and whether it held. */
  List<Verdict> verdicts() {
    return Verdicts.of(this);
  }

  /** What to say of the run as a whole. */
  DemoOutcome outcome() {
    return DemoOutcome.of(verdicts());
  }

  /** Whether every result of best-effort is right. */
  boolean outputsAreRight() {
    return modes.values().stream()
        .flatMap(mode -> mode.runs().stream())
        .allMatch(run -> run.outputProblems().isEmpty());
  }
}
