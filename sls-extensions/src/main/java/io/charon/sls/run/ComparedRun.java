/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * A run and the run with which its production jobs are compared.
 *
 * @param run the run
 * @param alone production alone with the same seed
 */
public record ComparedRun(RunResult run, RunResult alone) {
  /** Returns the virtual time of all runs, including those of production alone, in seconds. */
  public static double virtualSeconds(List<ComparedRun> runs) {
    Set<RunResult> all = Collections.newSetFromMap(new IdentityHashMap<>());
    runs.forEach(compared -> all.addAll(List.of(compared.run(), compared.alone())));
    return all.stream().mapToDouble(run -> run.execution().virtualSeconds()).sum();
  }

  /**
   * Returns a percentile of the slowdowns of production jobs relative to production alone; not a
   * number if there are none.
   */
  public double productionSlowdown(int percent) {
    return NearestRankPercentiles.of(productionSlowdowns(), percent);
  }

  /**
   * Returns the slowdown of each production job that completed in both runs, relative to production
   * alone.
   */
  public DoubleStream productionSlowdowns() {
    return run.productionSlowdowns(alone);
  }
}
