/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.nio.file.Path;

/**
 * The order that one production task gets: a line of its job's input.
 *
 * @param index number of the task, from 0
 * @param input directory of the part files that it reads, over and over
 * @param firstPart number of the part that it reads first
 * @param batches number of batches: the amount of work, fixed beforehand
 * @param phaseBytes memory at which a phase is full
 * @param arrivalMillis how long the next batch takes to arrive once the last one is done
 */
record ProductionTask(
    int index, Path input, int firstPart, int batches, long phaseBytes, long arrivalMillis) {

  /** The line that {@link #parse} reads; the path comes last because it may hold blanks. */
  String line() {
    return String.join(
        " ",
        Integer.toString(index),
        Integer.toString(firstPart),
        Integer.toString(batches),
        Long.toString(phaseBytes),
        Long.toString(arrivalMillis),
        input.toString());
  }

  static ProductionTask parse(String line) {
    String[] fields = line.split(" ", 6);
    return new ProductionTask(
        Integer.parseInt(fields[0]),
        Path.of(fields[5]),
        Integer.parseInt(fields[1]),
        Integer.parseInt(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]));
  }
}
