/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.report;

import io.charon.sls.engine.EventChecksum;
import io.charon.sls.run.ComparedRun;
import io.charon.sls.run.MeasuredRun;
import io.charon.sls.run.ResultContext;
import io.charon.sls.run.Summary;
import java.util.List;

/**
 * All runs of an experiment.
 *
 * @param context settings that the runs share
 * @param runs at least one
 * @param wallSeconds wall time of all runs together
 */
public record SimulationResult(ResultContext context, List<ComparedRun> runs, double wallSeconds) {
  /** Copies the list. */
  public SimulationResult {
    runs = List.copyOf(runs);
  }

  /** Returns a summary over the seeds of each policy and load. */
  public List<Summary> summaries() {
    return Summary.of(runs.stream().map(MeasuredRun::of).toList());
  }

  /** Returns whether a run was interrupted. */
  public boolean isPartial() {
    return runs.stream().anyMatch(run -> run.run().execution().partial());
  }

  /** Returns the virtual time of all runs, including those of production alone, in seconds. */
  public double virtualSeconds() {
    return ComparedRun.virtualSeconds(runs);
  }

  /** Returns a checksum over the checksums of all runs, in order, as hexadecimal digits. */
  public String eventChecksum() {
    EventChecksum all = new EventChecksum();
    runs.forEach(run -> all.add(run.run().execution().eventChecksum()));
    return EventChecksum.hex(all.value());
  }
}
