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

/**
 * One best-effort job of the stream.
 *
 * @param index number of the job in the stream, from 0
 * @param kind kind of the job
 * @param at when the job is submitted, relative to the start of the window
 * @param input the part files that the job reads, with one map task for each
 */
public record BestEffortOrder(int index, JobKind kind, Duration at, List<Path> input) {
  /** Copies the list. */
  public BestEffortOrder {
    input = List.copyOf(input);
  }

  /**
   * Returns the stream of a window, which cycles through the kinds of jobs and the parts of the
   * input.
   *
   * @param parts all part files
   * @param maps number of map tasks of each job
   * @param interval time between two submissions
   * @param window every job is submitted before this much time has passed
   */
  public static List<BestEffortOrder> stream(
      List<Path> parts, int maps, Duration interval, Duration window) {
    List<BestEffortOrder> orders = new ArrayList<>();
    JobKind[] kinds = JobKind.values();
    for (int index = 0; interval.multipliedBy(index).compareTo(window) < 0; index++) {
      List<Path> input = new ArrayList<>();
      for (int map = 0; map < maps; map++) {
        input.add(parts.get((index * maps + map) % parts.size()));
      }
      orders.add(
          new BestEffortOrder(
              index, kinds[index % kinds.length], interval.multipliedBy(index), input));
    }
    return orders;
  }
}
