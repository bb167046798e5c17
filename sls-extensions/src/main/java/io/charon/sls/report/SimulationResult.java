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
 * @param context what they have in common
 * @param runs at least one
 * @param wallSeconds how long all of them took
 */
public record SimulationResult(ResultContext context, List<ComparedRun> runs, double wallSeconds) {
  /** Copies the list. */
  public SimulationResult {
    runs = List.copyOf(runs);
  }

  /** The seeds of each policy and load together. */
  public List<Summary> summaries() {
    return Summary.of(runs.stream().map(MeasuredRun::of).toList());
  }

  /** Whether it was interrupted. */
  public boolean isPartial() {
    return runs.stream().anyMatch(run -> run.run().partial());
  }

  /** Virtual time of all runs, those of production alone included. */
  public double virtualSeconds() {
    return ComparedRun.virtualSeconds(runs);
  }

  /** Over the checksums of all runs, in order, as people write it. */
  public String eventChecksum() {
    EventChecksum all = new EventChecksum();
    runs.forEach(run -> all.add(run.run().eventChecksum()));
    return EventChecksum.hex(all.value());
  }
}
