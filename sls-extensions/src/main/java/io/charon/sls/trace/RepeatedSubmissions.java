/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.WorkloadSource;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Repeats each best-effort submission at the same time and under the same name, and does not change
 * production: X1 to X4 of the Charon paper.
 */
public final class RepeatedSubmissions implements WorkloadSource {
  private final WorkloadSource source;
  private final int load;
  private final Deque<SimulatedJob> repetitions = new ArrayDeque<>();

  /**
   * Repeats the jobs of a source.
   *
   * @param load number of submissions of each best-effort job, at least 1
   */
  public RepeatedSubmissions(WorkloadSource source, int load) {
    if (load < 1) {
      throw new IllegalArgumentException("the load must be at least 1, got " + load);
    }
    this.source = source;
    this.load = load;
  }

  @Override
  public Optional<SimulatedJob> next() throws IOException {
    if (!repetitions.isEmpty()) {
      return Optional.of(repetitions.remove());
    }
    Optional<SimulatedJob> job = source.next();
    job.filter(any -> any.side() == Side.BEST_EFFORT)
        .ifPresent(
            original -> {
              for (int copy = 2; copy <= load; copy++) {
                repetitions.add(copy(original, copy));
              }
            });
    return job;
  }

  /** Returns a further submission of a job, with its number in the id. */
  static SimulatedJob copy(SimulatedJob job, int number) {
    return new SimulatedJob(
        job.id() + "-x" + number,
        job.name(),
        job.user(),
        job.side(),
        job.type(),
        job.submitMillis(),
        job.tasks());
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
