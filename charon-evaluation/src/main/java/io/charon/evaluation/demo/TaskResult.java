/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The result that a paced task has written.
 *
 * @param found the result itself
 * @param endMillis when the task ended, milliseconds since 1970
 * @param processorMillis processor time that the task used, milliseconds
 */
record TaskResult(Found found, long endMillis, long processorMillis) {
  /**
   * The result of processing the input.
   *
   * @param bytes size of the input
   * @param records number of lines that were sorted, found or joined
   * @param hash hash over these lines
   */
  record Found(long bytes, long records, long hash) {}

  /**
   * Reads a result.
   *
   * @throws IOException if the file cannot be read or does not have the fields of a result
   */
  static TaskResult read(Path file) throws IOException {
    String[] fields = Files.readString(file).trim().split(" ", -1);
    if (fields.length != 6) {
      throw new IOException(file + " is not a result of a task");
    }
    return new TaskResult(
        new Found(
            Long.parseLong(fields[1]),
            Long.parseLong(fields[2]),
            Long.parseUnsignedLong(fields[3], 16)),
        Long.parseLong(fields[4]),
        Long.parseLong(fields[5]));
  }
}
