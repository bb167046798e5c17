/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.time.Duration;

/**
 * The times of a workload. On a slow machine starting a process takes longer, and so does
 * everything else that production pays for. The workload then lasts longer in the same proportion,
 * so that its costs per second are those of a fast machine.
 *
 * @param usualBaseline how long production runs alone before best-effort starts, and again after it
 *     has been ended, on a machine of the usual speed
 * @param usualWindow how long best-effort jobs are submitted and counted, on such a machine
 * @param usualShortestTask length of the shortest paced task on such a machine, if the window has
 *     room for it
 * @param slowdown factor on all times on this machine, 1 to {@link #MAX_SLOWDOWN}
 */
public record WorkloadTimes(
    Duration usualBaseline, Duration usualWindow, Duration usualShortestTask, double slowdown) {
  /**
   * Length of the shortest and of the longest paced task of the demo, seconds; shorter if the
   * window has no room for two tasks of average length after the start, so that it covers more than
   * the beginnings of tasks.
   */
  public static final int SHORTEST_TASK_SECONDS = 20;

  public static final int LONGEST_TASK_SECONDS = 40;

  /** Processor time of a production batch up to which a machine has the usual speed. */
  static final Duration USUAL_BATCH = Duration.ofMillis(75);

  /** The maximum, so that the demo does not take more than twice its usual time. */
  static final double MAX_SLOWDOWN = 2;

  /**
   * Time from the submission of best-effort until most of its first tasks run: ApplicationMasters
   * must start first. It does not depend on the window's length.
   */
  private static final Duration START = Duration.ofSeconds(10);

  /** Time within which best-effort usually has left the nodes after the end of the window. */
  private static final Duration END = Duration.ofSeconds(5);

  /**
   * Checks the slowdown.
   *
   * @throws IllegalArgumentException if it is out of its range
   */
  public WorkloadTimes {
    if (!(slowdown >= 1 && slowdown <= MAX_SLOWDOWN)) {
      throw new IllegalArgumentException("A slowdown of " + slowdown);
    }
  }

  /** Returns the times on a machine of the usual speed. */
  public static WorkloadTimes usual(Duration baseline, Duration window) {
    return new WorkloadTimes(baseline, window, Duration.ofSeconds(SHORTEST_TASK_SECONDS), 1);
  }

  /** Returns the same times with another length of the shortest paced task. */
  public WorkloadTimes withShortestTask(Duration usual) {
    return new WorkloadTimes(usualBaseline, usualWindow, usual, slowdown);
  }

  /**
   * Returns the same times on a machine on which a production batch takes this processor time, with
   * a slowdown in steps of a tenth.
   */
  WorkloadTimes on(Duration batch) {
    double times = Math.round(10.0 * batch.toNanos() / USUAL_BATCH.toNanos()) / 10.0;
    return new WorkloadTimes(
        usualBaseline, usualWindow, usualShortestTask, Math.min(MAX_SLOWDOWN, Math.max(1, times)));
  }

  /**
   * Returns how long production runs alone before best-effort starts, and again after it has been
   * ended.
   */
  public Duration baseline() {
    return slowed(usualBaseline);
  }

  /** Returns how long best-effort jobs are submitted and counted. */
  public Duration window() {
    return slowed(usualWindow);
  }

  Duration shortestTask() {
    return slowed(shorter(usualShortestTask, afterStart().multipliedBy(5).dividedBy(14)));
  }

  Duration longestTask() {
    return slowed(
        shorter(
            Duration.ofSeconds(LONGEST_TASK_SECONDS), afterStart().multipliedBy(8).dividedBy(14)));
  }

  /** Returns the usual time from the start of the first stretch alone to the end of the second. */
  Duration measured() {
    return slowed(usualBaseline.plus(usualWindow).plus(END).plus(usualBaseline));
  }

  /** Returns a time on this machine. */
  Duration slowed(Duration usual) {
    return slowdown == 1 ? usual : Duration.ofMillis(Math.round(slowdown * usual.toMillis()));
  }

  private Duration afterStart() {
    Duration left = usualWindow.minus(START);
    Duration half = usualWindow.dividedBy(2);
    return left.compareTo(half) < 0 ? half : left;
  }

  private static Duration shorter(Duration left, Duration right) {
    return left.compareTo(right) < 0 ? left : right;
  }
}
