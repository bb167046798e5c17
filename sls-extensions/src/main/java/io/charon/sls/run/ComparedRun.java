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
 * A run and what its production jobs are measured against.
 *
 * @param run the run
 * @param alone production alone of the same seed
 */
public record ComparedRun(RunResult run, RunResult alone) {
  /** Virtual time of all runs that were needed, those of production alone included, seconds. */
  public static double virtualSeconds(List<ComparedRun> runs) {
    Set<RunResult> all = Collections.newSetFromMap(new IdentityHashMap<>());
    runs.forEach(compared -> all.addAll(List.of(compared.run(), compared.alone())));
    return all.stream().mapToDouble(RunResult::virtualSeconds).sum();
  }

  /** How much longer production jobs took than alone, a percentile; not a number without any. */
  public double productionSlowdown(int percent) {
    return Percentiles.of(productionSlowdowns(), percent);
  }

  /** How much longer each production job took than alone, of those that completed in both. */
  public DoubleStream productionSlowdowns() {
    return run.productionSlowdowns(alone);
  }
}
