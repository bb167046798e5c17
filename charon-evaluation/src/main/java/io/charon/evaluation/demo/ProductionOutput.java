/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.ProductionTimes.BatchTime;
import io.charon.evaluation.demo.ProductionWork.BatchResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the output of the production job. */
final class ProductionOutput {
  /**
   * One output line of a task.
   *
   * @param task number of the task
   * @param time when the batch arrived and how long it took
   * @param result the result of the batch as text
   */
  private record Line(int task, BatchTime time, String result) {}

  private final List<Line> lines = new ArrayList<>();

  /** Reads the job's output directory. */
  ProductionOutput(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("part-")).toList()) {
        Files.readAllLines(file).forEach(line -> lines.add(parse(line)));
      }
    }
  }

  private static Line parse(String line) {
    String[] fields = line.split("[\t ]", 5);
    return new Line(
        Integer.parseInt(fields[1]),
        new BatchTime(Long.parseLong(fields[2]), Long.parseLong(fields[3]) / 1e6),
        fields[4]);
  }

  /** Returns the differences from the expectation; empty if all results are right. */
  List<String> problems(List<ProductionTask> tasks, ProductionExpectation expectation) {
    List<String> problems = new ArrayList<>();
    for (ProductionTask task : tasks) {
      List<String> found =
          lines.stream().filter(line -> line.task() == task.index()).map(Line::result).toList();
      List<String> expected = expectation.of(task).stream().map(ProductionOutput::text).toList();
      if (!found.equals(expected)) {
        problems.add(difference(task.index(), found, expected));
      }
    }
    return problems;
  }

  private static String difference(int task, List<String> found, List<String> expected) {
    for (int batch = 0; batch < Math.min(found.size(), expected.size()); batch++) {
      if (!found.get(batch).equals(expected.get(batch))) {
        return "batch %d of task %d found %s, expected %s"
            .formatted(batch, task, found.get(batch), expected.get(batch));
      }
    }
    return "task %d has %d batches, expected %d".formatted(task, found.size(), expected.size());
  }

  /** Returns the times of all batches of all tasks. */
  List<BatchTime> batches() {
    return lines.stream().map(Line::time).toList();
  }

  static String text(BatchResult result) {
    return result.words()
        + " "
        + result.distinct()
        + " "
        + result.checksum()
        + " "
        + result.leaving();
  }
}
