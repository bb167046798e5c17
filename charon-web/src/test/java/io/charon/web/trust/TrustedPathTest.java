/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.trust;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustedPathTest {
  private static final String USER = System.getProperty("user.name");

  @TempDir private Path directory;
  private Path above;
  private Path parent;
  private Path file;

  @BeforeEach
  void layOut() throws IOException {
    above = Files.createDirectory(directory.resolve("above"));
    parent = Files.createDirectory(above.resolve("parent"));
    file = Files.createFile(parent.resolve("file"));
    mode(above, "rwxr-xr-x");
    mode(parent, "rwxr-xr-x");
    mode(file, "rw-r--r--");
  }

  @Test
  @Tag("must-never")
  void ownersAloneMayWriteEveryPart() throws IOException {
    TrustedPath.require(file, USER);

    for (Path part : new Path[] {file, parent, above}) {
      for (String wrong : new String[] {"rwxrwxr-x", "rwxr-xrwx"}) {
        mode(part, wrong);
        refused(file, part);
      }
      mode(part, part.equals(file) ? "rw-r--r--" : "rwxr-xr-x");
    }
  }

  @Test
  void aStickyDirectoryMayBeSharedAboveTheFilesOwn() throws IOException {
    Files.setAttribute(above, "unix:mode", 01777);
    TrustedPath.require(file, USER);

    Files.setAttribute(parent, "unix:mode", 01777);
    refused(file, parent);
  }

  @Test
  @Tag("must-never")
  void noPartMayBeALink() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), above);
    refused(link.resolve("parent/file"), link);
    Path linkedFile = Files.createSymbolicLink(parent.resolve("linked"), file);
    refused(linkedFile, linkedFile);
  }

  @Test
  @Tag("must-never")
  void strangersOwnNoPart() throws IOException {
    assumeTrue(USER.equals("root"), "only root gives files away");
    for (Path part : new Path[] {file, parent, above}) {
      Files.setAttribute(part, "unix:uid", 1);
      refused(file, part);
      TrustedPath.require(file, Files.getOwner(part).getName());
      Files.setAttribute(part, "unix:uid", 0);
    }
  }

  @Test
  void aMissingPathHasNoOwner() throws IOException {
    TrustedPath.require(parent.resolve("new"), USER);
    TrustedPath.require(above.resolve("new/new"), USER);
    mode(above, "rwxrwxrwx");
    refused(above.resolve("new/new"), above);
  }

  @Test
  void detoursAreRefused() {
    assertThatThrownBy(() -> TrustedPath.require(parent.resolve("../parent/file"), USER))
        .hasMessageContaining("give its path without . and ..");
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static void refused(Path path, Path part) {
    assertThatThrownBy(() -> TrustedPath.require(path, USER))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(part + " is not trusted");
  }
}
