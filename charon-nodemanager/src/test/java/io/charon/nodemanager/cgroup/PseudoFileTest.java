/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with files of the lengths at which a read ends or another one follows. */
class PseudoFileTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 512, 513, 1024, 2047, 2048, 2049, 4096, 20_000})
  void theWholeFileIsReadAgainAndAgain(int length) throws IOException {
    Path path = directory.resolve("file");
    Files.writeString(path, "a".repeat(length));
    try (PseudoFile file = new PseudoFile(path)) {
      file.read();
      assertThat(file.content()).hasSize(length);

      Files.writeString(path, "b".repeat(20_001));
      file.read();
      assertThat(file.content()).isEqualTo("b".repeat(20_001));

      Files.writeString(path, "c".repeat(length));
      file.read();
      assertThat(file.content()).isEqualTo("c".repeat(length));
    }
  }

  /** The kernel returns long lists of lines in several pieces. */
  @Test
  void aListThatTheKernelReturnsInPiecesIsReadAsAWhole() throws IOException {
    Path symbols = Path.of("/proc/kallsyms");
    List<String> lines = Files.readAllLines(symbols);
    try (PseudoFile file = new PseudoFile(symbols)) {
      file.read();
      assertThat(file.content().lines()).hasSameSizeAs(lines);
    }
  }

  @Test
  void itKnowsItsFirstWord() throws IOException {
    Path path = Files.writeString(directory.resolve("quota"), "-1\n");
    try (PseudoFile file = new PseudoFile(path)) {
      file.read();
      assertThat(file.startsWith("-1")).isTrue();
      assertThat(file.startsWith("-1\n-1")).isFalse();
      assertThat(file.startsWith("max")).isFalse();
    }
  }
}
