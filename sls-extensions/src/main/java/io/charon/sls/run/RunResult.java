/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.stream.DoubleStream;

/**
 * The result of one run.
 *
 * @param settings settings of the run
 * @param bestEffort best-effort jobs
 * @param production production jobs
 * @param disruptions containers that did not run to their end where they were placed
 * @param memory use of the cluster's memory
 * @param execution the simulation itself
 */
public record RunResult(
    RunSettings settings,
    SideResult bestEffort,
    SideResult production,
    Disruptions disruptions,
    MemoryResult memory,
    Execution execution) {
  /**
   * Returns the slowdown of production jobs relative to another run, for every job that completed
   * in both.
   *
   * @param alone production alone with the same seed
   */
  public DoubleStream productionSlowdowns(RunResult alone) {
    return production.times().over(alone.production.times());
  }
}
