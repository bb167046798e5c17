/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Computes the results of paced tasks independently of them: lines as strings, sorted by the
 * library, joined by a set. Each result is computed once.
 */
final class TaskExpectation {
  private static final String WORD = "Exception";

  private record Question(TaskKind kind, int firstPart, int parts) {}

  private final List<Path> files;
  private final Map<Question, TaskResult.Found> answers = new HashMap<>();

  /** Creates an object that computes results from the part files of the input. */
  TaskExpectation(List<Path> files) {
    this.files = List.copyOf(files);
  }

  /**
   * Returns the expected result of a task.
   *
   * @throws IOException if the input cannot be read
   */
  TaskResult.Found of(TaskOrder order) throws IOException {
    Question question = new Question(order.kind(), order.firstPart(), order.parts());
    TaskResult.Found known = answers.get(question);
    if (known == null) {
      known = compute(question);
      answers.put(question, known);
    }
    return known;
  }

  /**
   * Returns the error in the result of a task; empty if the result is right.
   *
   * @param found empty if the task has no result
   * @throws IOException if the input cannot be read
   */
  Optional<String> problem(TaskOrder order, Optional<TaskResult.Found> found) throws IOException {
    TaskResult.Found expected = of(order);
    return found.equals(Optional.of(expected))
        ? Optional.empty()
        : Optional.of(
            "%s %d found %s, expected %s"
                .formatted(
                    order.kind().label(),
                    order.index(),
                    found.map(Object::toString).orElse("nothing"),
                    expected));
  }

  private TaskResult.Found compute(Question question) throws IOException {
    return switch (question.kind()) {
      case SORT -> sorted(question);
      case GREP -> found(question);
      case JOIN -> joined(question);
    };
  }

  private TaskResult.Found sorted(Question question) throws IOException {
    // Each different line is sorted once, because the text repeats most of them.
    Map<String, Integer> times = new HashMap<>();
    long bytes = read(question, line -> times.merge(line, 1, Integer::sum));
    LineHash hash = new LineHash();
    times.keySet().stream()
        .map(Line::of)
        .sorted(Comparator.comparing(Line::key).thenComparing(Line::text))
        .forEach(line -> hash.add(line.text, times.get(line.text)));
    long lines = times.values().stream().mapToLong(Integer::longValue).sum();
    return new TaskResult.Found(bytes, lines, hash.value);
  }

  /**
   * A line to be sorted.
   *
   * @param key the line without its leading blanks
   */
  private record Line(String key, String text) {
    static Line of(String text) {
      int blanks = 0;
      while (blanks < text.length()
          && (text.charAt(blanks) == ' ' || text.charAt(blanks) == '\t')) {
        blanks++;
      }
      return new Line(text.substring(blanks), text);
    }
  }

  private TaskResult.Found found(Question question) throws IOException {
    LineHash hash = new LineHash();
    long[] count = new long[1];
    long bytes =
        read(
            question,
            line -> {
              if (line.contains(WORD)) {
                hash.add(line);
                count[0]++;
              }
            });
    return new TaskResult.Found(bytes, count[0], hash.value);
  }

  private TaskResult.Found joined(Question question) throws IOException {
    long[] lines = new long[1];
    read(question, line -> lines[0]++);
    Set<String> left = new HashSet<>();
    long[] at = new long[1];
    long[] count = new long[1];
    long[] sum = new long[1];
    long bytes =
        read(
            question,
            line -> {
              if (at[0]++ < lines[0] / 2) {
                left.add(line);
              } else if (left.contains(line)) {
                LineHash hash = new LineHash();
                hash.add(line);
                sum[0] += hash.value;
                count[0]++;
              }
            });
    return new TaskResult.Found(bytes, count[0], sum[0]);
  }

  /**
   * Reads the parts one by one, each of which ends at a line end, and returns the number of bytes
   * read.
   */
  private long read(Question question, Consumer<String> line) throws IOException {
    long bytes = 0;
    for (int i = 0; i < question.parts(); i++) {
      byte[] part = Files.readAllBytes(files.get((question.firstPart() + i) % files.size()));
      bytes += part.length;
      // Each byte becomes one character, so that characters and bytes sort in the same order.
      String text = new String(part, StandardCharsets.ISO_8859_1);
      int start = 0;
      for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        line.accept(text.substring(start, end));
        start = end + 1;
      }
    }
    return bytes;
  }

  /** A hash over lines including their line ends, eight bytes at a time in little-endian order. */
  private static final class LineHash {
    private long value = 0xcbf29ce484222325L;

    void add(String line, int times) {
      for (int i = 0; i < times; i++) {
        add(line);
      }
    }

    void add(String line) {
      byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
      long word = 0;
      for (int i = 0; i < bytes.length; i++) {
        word |= shifted(bytes[i], i);
        if (i % Long.BYTES == Long.BYTES - 1) {
          mix(word);
          word = 0;
        }
      }
      mix(word | shifted((byte) '\n', bytes.length));
    }

    private static long shifted(byte character, int position) {
      return Byte.toUnsignedLong(character) << (Byte.SIZE * (position % Long.BYTES));
    }

    private void mix(long word) {
      value = (value ^ word) * 0x9e3779b97f4a7c15L;
      value ^= value >>> 32;
    }
  }
}
