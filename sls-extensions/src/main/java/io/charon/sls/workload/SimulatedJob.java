/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.workload;

import java.util.List;
import java.util.Objects;

/**
 * A job of a workload.
 *
 * @param id unique in its workload
 * @param name name of the job; recurring jobs have the same, so that their peaks can be learned
 * @param user user who submits it
 * @param side production or best-effort
 * @param type type of the job, which determines how often its tasks may fail
 * @param submitMillis time of submission, virtual milliseconds from the start, not negative
 * @param tasks its tasks; those of stage 0 are ready at once
 */
public record SimulatedJob(
    String id,
    String name,
    String user,
    Side side,
    JobType type,
    long submitMillis,
    List<TaskGroup> tasks) {
  /** Copies the tasks and checks that nothing is missing. */
  public SimulatedJob {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(side, "side");
    Objects.requireNonNull(type, "type");
    tasks = List.copyOf(tasks);
    if (submitMillis < 0 || tasks.isEmpty()) {
      throw new IllegalArgumentException(
          "job " + id + " needs a task and a submission that is not before the start");
    }
  }

  /** Returns the same job with another id. */
  public SimulatedJob withId(String other) {
    return new SimulatedJob(other, name, user, side, type, submitMillis, tasks);
  }

  /** Returns the number of all tasks. */
  public int taskCount() {
    return tasks.stream().mapToInt(TaskGroup::count).sum();
  }
}
