/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyTest {
  @TempDir private Path directory;

  @Test
  void whatIsMadeIsForItsOwner() throws IOException {
    Path inner = directory.resolve("outer/inner");
    OwnerOnly.makeDirectory(inner);
    write(inner.resolve("file"));

    assertThat(mode(inner.getParent())).isEqualTo("rwx------");
    assertThat(mode(inner)).isEqualTo("rwx------");
    assertThat(mode(inner.resolve("file"))).isEqualTo("rw-------");
  }

  @Test
  void whatIsThereKeepsItsPermissions() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
    OwnerOnly.makeDirectory(directory);
    write(file);

    assertThat(mode(directory)).isEqualTo("rwxr-x---");
    assertThat(mode(file)).isEqualTo("rw-r-----");
    assertThat(file).hasContent("x");
  }

  @Test
  void nothingIsOpenedBehindALink() throws IOException {
    Path other = Files.writeString(directory.resolve("other"), "somebody's");
    Path link = Files.createSymbolicLink(directory.resolve("link"), other);
    assertThatThrownBy(() -> write(link)).hasMessage(link + " is not a regular file");
    assertThatThrownBy(() -> OwnerOnly.open(link, StandardOpenOption.READ))
        .isInstanceOf(IOException.class);
    assertThat(other).hasContent("somebody's");

    Path nowhere = Files.createSymbolicLink(directory.resolve("nowhere"), directory.resolve("new"));
    assertThatThrownBy(() -> write(nowhere)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> OwnerOnly.makeDirectory(nowhere))
        .hasMessageContaining("is not a directory");
    assertThat(directory.resolve("new")).doesNotExist();
  }

  private static void write(Path file) throws IOException {
    try (FileChannel channel =
        OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {'x'}));
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
