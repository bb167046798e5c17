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
 * @param heldBatches batches that it holds in memory
 * @param arrivalMillis how long the next batch takes to arrive once the last one is done
 * @param ready file that it makes when it has warmed up
 */
record ProductionTask(
    int index,
    Path input,
    int firstPart,
    int batches,
    int heldBatches,
    long arrivalMillis,
    Path ready) {

  /** Batches that warm the task up: compilers are done with its code then. */
  private static final int WARM_UP_BATCHES = 40;

  /** Batches before those that count: they fill its memory and warm it up. */
  int unmeasured() {
    return heldBatches + WARM_UP_BATCHES;
  }

  /**
   * The part of the input that a batch reads.
   *
   * @param number of the batch, from 0, those before the ones that count included
   */
  int part(int number, int parts) {
    return (firstPart + number) % parts;
  }

  /** The line that {@link #parse} reads. */
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
