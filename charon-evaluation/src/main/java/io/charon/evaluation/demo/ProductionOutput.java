/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.ProductionWork.PhaseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads what the production job has written. */
final class ProductionOutput {
  private final List<String[]> lines = new ArrayList<>();

  /** Reads the job's output directory. */
  ProductionOutput(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("part-")).toList()) {
        Files.readAllLines(file).forEach(line -> lines.add(line.split("\t", -1)));
      }
    }
  }

  /** What differs from the expectation; empty if all is right. */
  List<String> problems(List<ProductionTask> tasks, ProductionExpectation expectation) {
    List<String> problems = new ArrayList<>();
    for (ProductionTask task : tasks) {
      List<String> found = values("phase " + task.index());
      List<String> expected = expectation.of(task).stream().map(ProductionOutput::text).toList();
      if (!found.equals(expected)) {
        problems.add("task " + task.index() + " found " + found + ", expected " + expected);
      }
    }
    return problems;
  }

  /** Mean time that the tasks spent on batches, seconds. */
  double busySeconds(List<ProductionTask> tasks) {
    return tasks.stream()
            .flatMap(task -> values("busy " + task.index()).stream())
            .mapToLong(Long::parseLong)
            .average()
            .orElse(Double.NaN)
        / 1000;
  }

  private List<String> values(String key) {
    return lines.stream().filter(line -> line[0].equals(key)).map(line -> line[1]).toList();
  }

  private static String text(PhaseResult result) {
    return result.words() + " " + result.distinct() + " " + result.checksum();
  }
}
