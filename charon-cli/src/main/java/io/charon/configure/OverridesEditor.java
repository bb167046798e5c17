/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import io.charon.nodemanager.config.OverridesFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes a node's overrides file, where nobody but root and this process's user can change any part
 * of its path: always as a whole, readable for all and writable for its owner, and with a
 * modification time that the file never had before, by which the NodeManager sees that it shall
 * read it.
 */
final class OverridesEditor {
  private static final Set<PosixFilePermission> FILE_MODE =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> DIRECTORY_MODE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final OverridesFile overrides;
  private final Clock clock;

  OverridesEditor(OverridesFile overrides, Clock clock) {
    this.overrides = overrides;
    this.clock = clock;
  }

  /**
   * What the file says.
   *
   * @return keys and values, to be changed; empty if there is no file
   * @throws IOException if it cannot be read or is not to be believed
   */
  Map<String, String> read() throws IOException {
    return new TreeMap<>(overrides.read());
  }

  /**
   * Replaces the file.
   *
   * @return its modification time, milliseconds since 1970
   * @throws IOException if it cannot be written, or others can write there; the file is as it was
   */
  long write(Map<String, String> values) throws IOException {
    overrides.requireTrusted();
    Path file = overrides.path();
    long after = Files.exists(file) ? Files.getLastModifiedTime(file).toMillis() : 0;
    makeDirectory(file.getParent());
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(next);
    try (FileChannel channel =
        FileChannel.open(
            next,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(FILE_MODE))) {
      ByteBuffer rest = ByteBuffer.wrap(text(values).getBytes(StandardCharsets.UTF_8));
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
    // The mask of this process may have taken the others' right to read.
    Files.setPosixFilePermissions(next, FILE_MODE);
    FileTime written = FileTime.fromMillis(Math.max(clock.millis(), after + 1));
    Files.setLastModifiedTime(next, written);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    return Files.getLastModifiedTime(file).toMillis();
  }

  private static String text(Map<String, String> values) throws IOException {
    StringWriter text = new StringWriter();
    Properties properties = new Properties();
    properties.putAll(values);
    properties.store(
        text, "Written by charon enable, disable and reload. Stands above yarn-site.xml.");
    return text.toString();
  }

  private static void makeDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY_MODE));
      Files.setPosixFilePermissions(directory, DIRECTORY_MODE);
    }
  }
}
