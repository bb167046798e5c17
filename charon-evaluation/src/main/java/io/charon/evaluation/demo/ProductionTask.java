/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.nio.file.Path;

/**
 * The order of one production task: a line of its job's input.
 *
 * @param index number of the task, from 0
 * @param input directory of the part files, which the task reads repeatedly
 * @param firstPart number of the part that the task reads first
 * @param batches number of measured batches: the amount of work, fixed beforehand
 * @param heldBatches number of batches that the task holds in memory
 * @param arrivalMillis time from the end of a batch to the arrival of the next one, milliseconds
 * @param ready file that the task creates once it has warmed up
 */
record ProductionTask(
    int index,
    Path input,
    int firstPart,
    int batches,
    int heldBatches,
    long arrivalMillis,
    Path ready) {

  /** Number of batches that warm the task up, after which its code is compiled. */
  private static final int WARM_UP_BATCHES = 40;

  /**
   * Returns the number of batches before the measured ones, which fill the task's memory and warm
   * it up.
   */
  int unmeasuredBatches() {
    return heldBatches + WARM_UP_BATCHES;
  }

  /**
   * Returns the part of the input that a batch reads.
   *
   * @param number number of the batch, from 0, with unmeasured batches included
   */
  int part(int number, int parts) {
    return (firstPart + number) % parts;
  }

  /** Returns the line that {@link #parse} reads. */
  String line() {
    return String.join(
        "\t",
        Integer.toString(index),
        Integer.toString(firstPart),
        Integer.toString(batches),
        Integer.toString(heldBatches),
        Long.toString(arrivalMillis),
        input.toString(),
        ready.toString());
  }

  static ProductionTask parse(String line) {
    String[] fields = line.split("\t", -1);
    return new ProductionTask(
        Integer.parseInt(fields[0]),
        Path.of(fields[5]),
        Integer.parseInt(fields[1]),
        Integer.parseInt(fields[2]),
        Integer.parseInt(fields[3]),
        Long.parseLong(fields[4]),
        Path.of(fields[6]));
  }
}
