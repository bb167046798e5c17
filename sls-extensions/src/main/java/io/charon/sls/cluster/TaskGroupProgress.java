/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.core.scheduler.JobKey;
import io.charon.sls.node.ContainerStart;
import io.charon.sls.node.ContainerWork;
import io.charon.sls.node.UsageCurve;
import io.charon.sls.workload.TaskGroup;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** The identical tasks of a job, which are requested together, and how far they are. */
final class TaskGroupProgress {
  private final TaskGroup tasks;
  private final JobKey key;
  private final UsageCurve usage;
  private final Deque<Integer> again = new ArrayDeque<>();
  private final Map<Integer, Integer> failures = new HashMap<>();
  private final Map<Integer, Double> startsAt = new HashMap<>();
  private int fresh;
  private int outstanding;
  private int unrequested;
  private int completed;

  /**
   * Creates a group of which no task has been requested.
   *
   * @param key the job key of its containers
   */
  TaskGroupProgress(TaskGroup tasks, JobKey key) {
    this.tasks = tasks;
    this.key = key;
    this.usage = new UsageCurve(tasks.memory());
    this.unrequested = tasks.count();
  }

  TaskGroup tasks() {
    return tasks;
  }

  JobKey key() {
    return key;
  }

  /** Returns the number of tasks for which a container has yet to be requested. */
  int unrequested() {
    return unrequested;
  }

  /** Returns the number of requested containers that have not been allocated. */
  int outstanding() {
    return outstanding;
  }

  boolean isCompleted() {
    return completed == tasks.count();
  }

  /**
   * Records that containers were requested for all tasks that need one.
   *
   * @return their number
   */
  int requested() {
    int count = unrequested;
    outstanding += count;
    unrequested = 0;
    return count;
  }

  /** Returns the number of the task that an allocated container runs. */
  int allocated() {
    outstanding--;
    return again.isEmpty() ? fresh++ : again.removeFirst();
  }

  /** Returns the work that is left of a task. */
  ContainerWork work(int number, ContainerStart start) {
    Double done = startsAt.remove(number);
    return new ContainerWork(
        tasks.usedCores(),
        workNanos(),
        usage,
        done == null ? 0 : done,
        // A moved task continues without a start; only the oracle moves tasks.
        done == null ? start : ContainerStart.NONE);
  }

  /** Lets a task continue from the work that it has done. */
  void continueFrom(int number, double workDoneNanos) {
    startsAt.put(number, Math.min(1, workDoneNanos / workNanos()));
  }

  void completed() {
    completed++;
  }

  /** Records the failure of a task and returns how often it has failed. */
  int failed(int number) {
    return failures.merge(number, 1, Integer::sum);
  }

  /** Runs a task again, which needs another container. */
  void runAgain(int number) {
    again.add(number);
    unrequested++;
  }

  private long workNanos() {
    return tasks.durationMillis() * 1_000_000;
  }
}
