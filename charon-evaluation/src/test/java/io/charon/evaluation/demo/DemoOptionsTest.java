/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoOptionsTest {
  @TempDir private Path directory;

  @Test
  void theDirectoriesOfTheResultAreCreatedAndNothingIsLeftInThem() {
    Path output = directory.resolve("a/b");

    new DemoOptions.Output(
            output, output.resolve("demo.html"), Optional.of(directory.resolve("c/out.json")))
        .requireWritable();

    assertThat(output).isEmptyDirectory();
    assertThat(directory.resolve("c")).isEmptyDirectory();
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsNamedWithItsOptionAndTheCure() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    Path page = directory.resolve("demo.html");

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new DemoOptions.Output(file.resolve("below"), page, Optional.empty())
                    .requireWritable())
        .withMessageStartingWith("--output: nothing can be written to " + file + "/below (")
        .withMessageEndingWith("Free space there, or name another directory");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new DemoOptions.Output(directory, page, Optional.of(file.resolve("out.json")))
                    .requireWritable())
        .withMessageStartingWith("--json: nothing can be written to " + file + " (");
  }
}
