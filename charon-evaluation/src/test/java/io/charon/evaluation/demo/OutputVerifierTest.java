/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputVerifierTest {
  @TempDir Path directory;
  private Path part;

  @BeforeEach
  void writeInput() throws IOException {
    part = Files.writeString(directory.resolve("part-000.txt"), "b a b\nIOException a\tb\n\n");
  }

  @Test
  void acceptsRightWordCounts() throws IOException {
    assertThat(problem(JobKind.WORDCOUNT, "IOException\t1\na\t2\nb\t3\n")).isEmpty();
  }

  @Test
  void refusesAWrongOrMissingCount() throws IOException {
    assertThat(problem(JobKind.WORDCOUNT, "IOException\t1\na\t2\nb\t4\n")).isPresent();
    assertThat(problem(JobKind.WORDCOUNT, "a\t2\nb\t3\n")).isPresent();
  }

  @Test
  void checksMatches() throws IOException {
    assertThat(problem(JobKind.GREP, "IOException\t1\n")).isEmpty();
    assertThat(problem(JobKind.GREP, "")).isPresent();
  }

  @Test
  void acceptsTheSortedLinesOfTheInput() throws IOException {
    assertThat(problem(JobKind.SORT, "\t18\nIOException a\tb\t6\nb a b\t0\n")).isEmpty();
  }

  @Test
  void refusesUnsortedLostAndChangedLines() throws IOException {
    assertThat(problem(JobKind.SORT, "\t18\nb a b\t0\nIOException a\tb\t6\n"))
        .hasValueSatisfying(problem -> assertThat(problem).contains("not sorted"));
    assertThat(problem(JobKind.SORT, "IOException a\tb\t6\nb a b\t0\n")).isPresent();
    assertThat(problem(JobKind.SORT, "\t18\nIOException a\tc\t6\nb a b\t0\n")).isPresent();
  }

  private Optional<String> problem(JobKind kind, String output) throws IOException {
    Path outputDirectory = Files.createDirectories(directory.resolve("output"));
    Files.writeString(outputDirectory.resolve("part-r-00000"), output);
    return new OutputVerifier()
        .problem(new BestEffortOrder(0, kind, Duration.ZERO, List.of(part)), outputDirectory);
  }
}
