/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.JobType;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import java.util.ArrayList;
import java.util.List;

/** Converts traced jobs to simulated ones by adding memory over time and processor use. */
final class JobConverter {
  private final MemoryModel model;
  private final Calibration.Exponents exponents;

  JobConverter(MemoryModel model, Calibration.Exponents exponents) {
    this.model = model;
    this.exponents = exponents;
  }

  /** Returns the simulated job; it is MapReduce-like, as all jobs of the paper's simulation are. */
  SimulatedJob convert(TraceJob job) {
    double exponent = exponents.of(job.tier().side());
    double processorRatio = model.processorRatio(job);
    List<TaskGroup> groups = new ArrayList<>(job.batches().size());
    for (TaskBatch batch : job.batches()) {
      groups.add(
          new TaskGroup(
              batch.count(),
              batch.requestedBytes(),
              (int) Math.max(1, Math.ceil(batch.requestedCores())),
              batch.requestedCores() * processorRatio,
              batch.durationMillis(),
              batch
                  .measured()
                  .orElseGet(
                      () ->
                          model.curve(
                              job, batch, Math.pow(model.rawRatio(job, batch), exponent)))));
    }
    return new SimulatedJob(
        job.id(),
        job.name(),
        job.user(),
        job.tier().side(),
        JobType.MAPREDUCE,
        job.submitMillis(),
        groups);
  }
}
