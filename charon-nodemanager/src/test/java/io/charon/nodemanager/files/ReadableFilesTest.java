/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.nodemanager.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadableFilesTest {
  @TempDir private Path directory;

  @Test
  void theExistingFilesAreInTheOrderOfTheNames() throws Exception {
    Path one = Files.createFile(directory.resolve("one"));
    Path two = Files.createFile(directory.resolve("two"));
    Files.createFile(directory.resolve("other"));
    assertThat(ReadableFiles.existing(directory, List.of("two", "absent", "one")))
        .containsExactly(two, one);
  }

  @Test
  void whatIsNoDirectoryIsNamed() throws Exception {
    Path absent = directory.resolve("absent");
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> ReadableFiles.existing(absent, List.of("one")))
        .hasMessage(absent + " does not exist");
    assertThatThrownBy(() -> ReadableFiles.existing(file, List.of("one")))
        .hasMessage(file + " is not a directory");
  }

  @Test
  void whatThisUserMayNotReadIsNamedAndDoesNotSeemToBeEmpty() throws IOException {
    Path file = Files.createFile(directory.resolve("one"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    Requirement.require(
        ReadableFilesTest.class, !Files.isReadable(file), "root may read everything");
    assertThatThrownBy(() -> ReadableFiles.open(file))
        .hasMessage(file + " may not be read by this user");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("---------"));
    assertThatThrownBy(() -> ReadableFiles.existing(directory, List.of("one")))
        .hasMessage(directory + " may not be read by this user");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
  }
}
