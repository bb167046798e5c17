/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryDirectoryTest {
  @TempDir private Path directory;

  @Test
  void allGoesAndWhatLinksLeadToStays() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("file"), "kept");
    Path tree = Files.createDirectories(directory.resolve("tree/below"));
    Files.writeString(tree.resolve("file"), "goes");
    Files.createSymbolicLink(tree.resolve("link"), outside);

    TemporaryDirectory.delete(directory.resolve("tree"));

    assertThat(directory.resolve("tree")).doesNotExist();
    assertThat(outside.resolve("file")).hasContent("kept");
  }

  @Test
  void aLinkItselfGoes() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), outside);

    TemporaryDirectory.delete(link);

    assertThat(link).doesNotExist();
    assertThat(outside).isDirectory();
  }

  @Test
  void whatIsNotThereIsSaid() {
    assertThatThrownBy(() -> TemporaryDirectory.delete(directory.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
