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
 * @param index number in the stream, from 0
 * @param job number of its job, from 0
 * @param kind what it does
 * @param at when its job is submitted, counted from the start of the window
 * @param firstPart number of the part of the input that it reads first
 * @param parts how many parts it reads, round the input
 * @param length how long it reads
 */
record TaskOrder(
    int index, int job, TaskKind kind, Duration at, int firstPart, int parts, Duration length) {
  /** Tasks of a job. */
  static final int TASKS_OF_A_JOB = 4;

  /** Jobs that are there at the start of the window. */
  private static final int JOBS_AT_ONCE = 5;

  private static final Duration INTERVAL = Duration.ofSeconds(4);

  /** Tasks begin at few places of the input, so that few results need to be computed here. */
  private static final int PLACES = 2;

  /** The stream of a plan: kinds take turns, and so do the places of the input and the lengths. */
  static List<TaskOrder> stream(WorkloadPlan plan, int inputParts) {
    List<TaskOrder> orders = new ArrayList<>();
    for (int job = 0; at(job).compareTo(plan.window()) < 0; job++) {
      for (int task = 0; task < TASKS_OF_A_JOB; task++) {
        orders.add(order(plan, inputParts, orders.size(), at(job)));
      }
    }
    return orders;
  }

  /** So many tasks that are all due at once, like the first ones of the stream. */
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
        index % TASKS_OF_A_JOB % PLACES * inputParts / PLACES,
        kind.parts(plan.taskUseMb()),
        length(plan, index));
  }

  private static Duration at(int job) {
    return INTERVAL.multipliedBy(Math.max(0, job + 1 - JOBS_AT_ONCE));
  }

  /** From the shortest to the longest, in an order that is mixed and always the same. */
  private static Duration length(WorkloadPlan plan, int index) {
    int steps = 5;
    return plan.shortestTask()
        .plus(
            plan.longestTask()
                .minus(plan.shortestTask())
                .multipliedBy(index * 2 % steps)
                .dividedBy(steps - 1));
  }

  /** The program's command line up to the path of its result. */
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
