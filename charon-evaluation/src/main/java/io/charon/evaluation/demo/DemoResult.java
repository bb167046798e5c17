/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.List;
import java.util.Map;

/**
 * Everything the demo found.
 *
 * @param modes the modes, in the order they ran
 * @param plan the workload
 * @param repeat how often each mode ran
 * @param checks what was promised and whether it held
 * @param hadoopVersion version of the daemons
 * @param seconds how long the whole demo took
 */
record DemoResult(
    Map<DemoMode, ModeSummary> modes,
    WorkloadPlan plan,
    int repeat,
    List<Check> checks,
    String hadoopVersion,
    double seconds) {
  DemoResult {
    checks = List.copyOf(checks);
  }

  boolean ok() {
    return checks.stream().allMatch(Check::ok);
  }

  /** Whether every output of every completed best-effort job is right. */
  boolean wordCountsMatch() {
    return modes.values().stream()
        .flatMap(mode -> mode.runs().stream())
        .allMatch(run -> run.outputProblems().isEmpty());
  }
}
