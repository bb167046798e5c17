/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One task of the stream of paced tasks.
 *
 * @param index number of the task in the stream, from 0
 * @param job number of the task's job, from 0
 * @param kind kind of the task
 * @param at when the job is submitted, relative to the start of the window
 * @param firstPart number of the part of the input that the task reads first
 * @param parts number of parts that the task reads, wrapping around the input
 * @param length how long the task reads
 */
record TaskOrder(
    int index, int job, TaskKind kind, Duration at, int firstPart, int parts, Duration length) {
  /** Number of tasks of a job. */
  static final int TASKS_OF_A_JOB = 4;

  /** Number of jobs submitted at the start of the window. */
  private static final int JOBS_AT_ONCE = 5;

  private static final Duration INTERVAL = Duration.ofSeconds(4);

  /**
   * Number of different positions at which tasks start to read; few, so that few results need to be
   * computed for verification.
   */
  private static final int START_POSITIONS = 2;

  /** Returns the stream of a plan, which cycles through kinds, starting positions and lengths. */
  static List<TaskOrder> stream(WorkloadPlan plan, int inputParts) {
    List<TaskOrder> orders = new ArrayList<>();
    for (int job = 0; at(plan, job).compareTo(plan.times().window()) < 0; job++) {
      for (int task = 0; task < TASKS_OF_A_JOB; task++) {
        orders.add(order(plan, inputParts, orders.size(), at(plan, job)));
      }
    }
    return orders;
  }

  /**
   * Returns a given number of tasks that are all due at once, otherwise like the first ones of the
   * stream.
   */
  static List<TaskOrder> atOnce(WorkloadPlan plan, int inputParts, int tasks) {
    return IntStream.range(0, tasks)
        .mapToObj(index -> order(plan, inputParts, index, Duration.ZERO))
        .toList();
  }

  private static TaskOrder order(WorkloadPlan plan, int inputParts, int index, Duration at) {
    TaskKind[] kinds = TaskKind.values();
    int job = index / TASKS_OF_A_JOB;
    TaskKind kind = kinds[job % kinds.length];
    return new TaskOrder(
        index,
        job,
        kind,
        at,
        index % TASKS_OF_A_JOB % START_POSITIONS * inputParts / START_POSITIONS,
        kind.parts(plan.taskUseMb()),
        length(plan, index));
  }

  private static Duration at(WorkloadPlan plan, int job) {
    return plan.times().slowed(INTERVAL).multipliedBy(Math.max(0, job + 1 - JOBS_AT_ONCE));
  }

  /** Returns a length between the shortest and the longest, in a fixed, mixed order. */
  private static Duration length(WorkloadPlan plan, int index) {
    int steps = 5;
    Duration shortest = plan.times().shortestTask();
    Duration range = plan.times().longestTask().minus(shortest);
    return shortest.plus(range.multipliedBy(index * 2 % steps).dividedBy(steps - 1));
  }

  /** Returns the command line of the program, up to and including the path of its result. */
  List<String> command(Path program, Path input, int inputParts, long partBytes, Path result) {
    return List.of(
        program.toString(),
        kind.label(),
        input.toString(),
        Integer.toString(inputParts),
        Integer.toString(firstPart),
        Integer.toString(parts),
        Long.toString(parts * partBytes * 1000 / length.toMillis()),
        result.toString());
  }
}
