/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.List;

/**
 * A job as the trace describes it: requests and durations, and memory only if the trace has it.
 *
 * @param id unique in the trace
 * @param name name of the job; recurring jobs have the same
 * @param user user who submitted it
 * @param tier importance of the job
 * @param resident whether it existed before the trace began
 * @param submitMillis submission, milliseconds from the start of the trace
 * @param batches its tasks, at least one batch
 */
public record TraceJob(
    String id,
    String name,
    String user,
    Tier tier,
    boolean resident,
    long submitMillis,
    List<TaskBatch> batches) {
  /** Copies the batches. */
  public TraceJob {
    batches = List.copyOf(batches);
  }

  /** Returns the number of all tasks. */
  public int taskCount() {
    return batches.stream().mapToInt(TaskBatch::count).sum();
  }

  /** Returns the requested memory over the run of all tasks, in byte-milliseconds. */
  double load() {
    return batches.stream().mapToDouble(TaskBatch::load).sum();
  }

  TraceJob withBatches(List<TaskBatch> others) {
    return new TraceJob(id, name, user, tier, resident, submitMillis, others);
  }
}
