/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes a node's overrides file: always as a whole, readable for all and writable for its owner,
 * and with a modification time that the file never had before, by which the NodeManager sees that
 * it shall read it.
 */
final class OverridesEditor {
  private static final Set<PosixFilePermission> FILE_MODE =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> DIRECTORY_MODE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final Path file;
  private final Clock clock;

  OverridesEditor(Path file, Clock clock) {
    this.file = file;
    this.clock = clock;
  }

  /**
   * What the file says.
   *
   * @return keys and values; empty if there is no file
   * @throws IOException if it cannot be read or is no properties file
   */
  Map<String, String> read() throws IOException {
    Map<String, String> overrides = new TreeMap<>();
    if (!Files.exists(file)) {
      return overrides;
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not a properties file: " + e.getMessage(), e);
    }
    properties
        .stringPropertyNames()
        .forEach(key -> overrides.put(key, properties.getProperty(key)));
    return overrides;
  }

  /**
   * Replaces the file.
   *
   * @return its modification time, milliseconds since 1970
   * @throws IOException if it cannot be written; the file is as it was
   */
  long write(Map<String, String> overrides) throws IOException {
    long after = Files.exists(file) ? Files.getLastModifiedTime(file).toMillis() : 0;
    makeDirectory();
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(next);
    Files.createFile(next, PosixFilePermissions.asFileAttribute(FILE_MODE));
    // The mask of this process may have taken the others' right to read.
    Files.setPosixFilePermissions(next, FILE_MODE);
    try (Writer writer = Files.newBufferedWriter(next, StandardCharsets.UTF_8)) {
      Properties properties = new Properties();
      properties.putAll(overrides);
      properties.store(
          writer, "Written by charon enable, disable and reload. Stands above yarn-site.xml.");
    }
    FileTime written = FileTime.fromMillis(Math.max(clock.millis(), after + 1));
    Files.setLastModifiedTime(next, written);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    return Files.getLastModifiedTime(file).toMillis();
  }

  private void makeDirectory() throws IOException {
    Path directory = file.getParent();
    if (!Files.isDirectory(directory)) {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY_MODE));
      Files.setPosixFilePermissions(directory, DIRECTORY_MODE);
    }
  }
}
