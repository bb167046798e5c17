/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Verifies the outputs of best-effort jobs against results that this process computes from the same
 * input without MapReduce.
 */
final class OutputVerifier {
  private static final Pattern GREP = Pattern.compile(JobKind.GREP_PATTERN);

  /**
   * Verifies one completed job.
   *
   * @param output the job's output directory
   * @return the error; empty if the output is right
   * @throws IOException if input or output cannot be read
   */
  Optional<String> problem(BestEffortOrder order, Path output) throws IOException {
    return switch (order.kind()) {
      case WORDCOUNT -> countProblem(count(order.input(), OutputVerifier::countWords), output);
      case GREP -> countProblem(count(order.input(), OutputVerifier::countMatches), output);
      case SORT -> sortProblem(order.input(), output);
    };
  }

  private static Map<String, Long> count(
      List<Path> parts, BiConsumer<String, Map<String, Long>> counter) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    for (Path part : parts) {
      new String(Files.readAllBytes(part), StandardCharsets.UTF_8)
          .lines()
          .forEach(line -> counter.accept(line, counts));
    }
    return counts;
  }

  private static void countWords(String line, Map<String, Long> counts) {
    StringTokenizer tokens = new StringTokenizer(line);
    while (tokens.hasMoreTokens()) {
      counts.merge(tokens.nextToken(), 1L, Long::sum);
    }
  }

  private static void countMatches(String line, Map<String, Long> counts) {
    Matcher matcher = GREP.matcher(line);
    while (matcher.find()) {
      counts.merge(matcher.group(), 1L, Long::sum);
    }
  }

  private static Optional<String> countProblem(Map<String, Long> expected, Path output)
      throws IOException {
    Map<String, Long> found = new HashMap<>();
    for (Path file : outputFiles(output)) {
      for (String line : Files.readAllLines(file)) {
        int tab = line.lastIndexOf('\t');
        found.merge(line.substring(0, tab), Long.valueOf(line.substring(tab + 1)), Long::sum);
      }
    }
    return found.equals(expected)
        ? Optional.empty()
        : Optional.of(
            output.getFileName()
                + " has "
                + found.size()
                + " different counts, expected "
                + expected.size()
                + ", or their values differ");
  }

  private static Optional<String> sortProblem(List<Path> parts, Path output) throws IOException {
    Lines expected = new Lines();
    for (Path part : parts) {
      readLines(part, expected::add);
    }
    Lines found = new Lines();
    for (Path file : outputFiles(output)) {
      readLines(file, line -> found.add(line.substring(0, line.lastIndexOf('\t'))));
    }
    if (!found.sorted) {
      return Optional.of(output.getFileName() + " is not sorted");
    }
    return found.count == expected.count && found.sum == expected.sum
        ? Optional.empty()
        : Optional.of(output.getFileName() + " does not contain the lines of its input");
  }

  /** Decodes each byte as one character, so that characters and bytes sort in the same order. */
  private static void readLines(Path file, Consumer<String> line) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      reader.lines().forEach(line);
    }
  }

  /**
   * The number of lines, the sum of their 64-bit hashes, which does not depend on their order, and
   * whether they were added in sorted order.
   */
  private static final class Lines {
    private long count;
    private long sum;
    private boolean sorted = true;
    private String last = "";

    void add(String line) {
      count++;
      sum += ProductionExpectation.fnv1a(line);
      sorted &= last.compareTo(line) <= 0;
      last = line;
    }
  }

  private static List<Path> outputFiles(Path output) throws IOException {
    try (Stream<Path> files = Files.list(output)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("part-"))
          .sorted()
          .toList();
    }
  }
}
