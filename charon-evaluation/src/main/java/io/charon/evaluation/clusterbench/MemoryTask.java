/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The order of a production task, which the task reads as a line of its job's input.
 *
 * @param index number of the task
 * @param pauseMillis pause before each batch, milliseconds
 * @param touches number of pages that each batch reads
 * @param steps sizes of the held memory, one after the other
 */
record MemoryTask(int index, long pauseMillis, int touches, List<Step> steps) {
  /** First word of the line. */
  static final String WORD = "memory";

  /**
   * A memory size held for a number of batches.
   *
   * @param chunks size, in chunks of {@link PagedMemory}
   * @param batches number of batches
   */
  record Step(int chunks, int batches) {}

  MemoryTask {
    steps = List.copyOf(steps);
  }

  /** Returns the line that {@link #parse} reads. */
  String line() {
    return String.join(
        " ",
        WORD,
        Integer.toString(index),
        Long.toString(pauseMillis),
        Integer.toString(touches),
        steps.stream()
            .map(step -> step.chunks() + "x" + step.batches())
            .collect(Collectors.joining(",")));
  }

  static MemoryTask parse(String line) {
    String[] fields = line.split(" ", -1);
    List<Step> steps =
        Arrays.stream(fields[4].split(",", -1))
            .map(step -> step.split("x", -1))
            .map(step -> new Step(Integer.parseInt(step[0]), Integer.parseInt(step[1])))
            .toList();
    return new MemoryTask(
        Integer.parseInt(fields[1]), Long.parseLong(fields[2]), Integer.parseInt(fields[3]), steps);
  }
}
