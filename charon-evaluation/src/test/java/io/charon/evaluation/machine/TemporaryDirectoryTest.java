/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
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

  @Test
  void whatAnEndedProcessCreatedIsALeftover() throws Exception {
    long ended = EndedProcess.id();
    Path input = Files.createDirectory(directory.resolve("charon-input-" + ended + "-17"));
    Path bench = Files.createDirectory(directory.resolve("charon-bench-launch-" + ended + "-4"));

    assertThat(TemporaryDirectory.leftovers(directory))
        .containsExactlyInAnyOrder(
            new TemporaryDirectory.Leftover(input, ended),
            new TemporaryDirectory.Leftover(bench, ended));
  }

  @Test
  void whatAnEndedProcessCreatedOnTheDiskIsOneToo() throws Exception {
    try (Cleanup cleanup = new Cleanup()) {
      Path own = TemporaryDirectory.createOnDisk("charon-bench-", cleanup);
      assertThat(own.getFileName().toString())
          .startsWith("charon-bench-" + ProcessHandle.current().pid() + "-");
      long ended = EndedProcess.id();
      Path left = Files.createDirectory(own.resolveSibling("charon-bench-" + ended + "-17"));
      cleanup.add(() -> TemporaryDirectory.delete(left));

      assertThat(TemporaryDirectory.leftovers())
          .contains(new TemporaryDirectory.Leftover(left, ended))
          .noneMatch(leftover -> leftover.directory().equals(own));
    }
  }

  @Test
  @Tag("must-never")
  void nothingElseIsALeftover() throws Exception {
    long ended = EndedProcess.id();
    try (Cleanup cleanup = new Cleanup()) {
      Path own = TemporaryDirectory.create("charon-input-", cleanup);
      Files.createDirectory(directory.resolve(own.getFileName()));
      Files.createDirectory(directory.resolve("charon-input-" + ended));
      Files.createDirectory(directory.resolve("charon-input-4711x" + ended + "-1"));
      Files.createDirectory(directory.resolve("input-" + ended + "-1"));
      Files.createFile(directory.resolve("charon-input-" + ended + "-2"));
      Files.createSymbolicLink(directory.resolve("charon-input-" + ended + "-3"), own);

      assertThat(TemporaryDirectory.leftovers(directory)).isEmpty();
    }
  }

  @Test
  @Tag("must-never")
  void aNameInWhichTheIdOfTheProcessWouldStandTwiceIsRefused() {
    String twice = "charon-bench-" + ProcessHandle.current().pid();

    assertThatThrownBy(() -> TemporaryDirectory.create(twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(twice);
  }

  @Test
  @Tag("must-never")
  void anotherUsersDirectoryIsNoLeftover() throws Exception {
    Path other =
        Files.createDirectory(directory.resolve("charon-input-" + EndedProcess.id() + "-1"));
    boolean able = System.getProperty("user.name").equals("root");
    if (!able) {
      System.out.println("SKIPPED TemporaryDirectoryTest: needs root to change an owner");
    }
    assumeTrue(able, "needs root to change an owner");
    Files.setAttribute(other, "unix:uid", 65534);

    assertThat(TemporaryDirectory.leftovers(directory)).isEmpty();
  }
}
