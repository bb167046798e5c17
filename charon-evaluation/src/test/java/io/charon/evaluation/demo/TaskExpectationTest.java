/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.machine.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the program of the paced tasks and the expectation, which share no code, agree. */
class TaskExpectationTest {
  private static final String[] TEXTS = {
    "b\n  a\n\n\ta\na b\nIOException e\n",
    "  a\nz\u00e9\nException\nException Exception\n",
    "\n\n b\n"
  };

  @TempDir private Path directory;
  private final List<Path> parts = new ArrayList<>();

  @BeforeEach
  void writeInput() throws IOException {
    for (String text : TEXTS) {
      parts.add(
          Files.writeString(directory.resolve("part-%03d.txt".formatted(parts.size())), text));
    }
  }

  @Test
  void theProgramFindsWhatIsExpected() throws Exception {
    Path program = PacedTask.compile(Path.of("..").toAbsolutePath().normalize(), directory);
    TaskExpectation expectation = new TaskExpectation(parts);
    for (TaskKind kind : TaskKind.values()) {
      for (int first = 0; first < parts.size(); first++) {
        TaskOrder order = new TaskOrder(0, 0, kind, Duration.ZERO, first, 4, Duration.ofMillis(1));
        Path result = directory.resolve("result");
        Programs.run(order.command(program, directory, parts.size(), 4 << 20, result));

        assertThat(TaskResult.read(result).found())
            .as("%s from part %d", kind, first)
            .isEqualTo(expectation.of(order));
      }
    }
  }

  @Test
  void linesAreOrderedByWhatFollowsTheirBlanks() throws IOException {
    TaskOrder order = new TaskOrder(0, 0, TaskKind.SORT, Duration.ZERO, 0, 1, Duration.ofMillis(1));
    Path sorted =
        Files.writeString(directory.resolve("part-009.txt"), "\nIOException e\n\ta\n  a\na b\nb\n");

    // The lines of this file are sorted already, so its content is the expected result.
    assertThat(new TaskExpectation(parts).of(order))
        .isEqualTo(new TaskExpectation(List.of(sorted)).of(order));
  }
}
