/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Writes an overrides file, provided that only root and this process's user can change any part of
 * its path. The file is always written as a whole, readable for all and writable for its owner. It
 * gets a modification time that it never had before, by which the daemon notices the change.
 * Changes that other processes make at the same time are kept.
 */
final class OverridesEditor {
  private static final Set<PosixFilePermission> FILE_MODE =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> DIRECTORY_MODE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final TrustedProperties overrides;
  private final Clock clock;

  /**
   * A change that was written.
   *
   * @param modifiedMillis modification time of the file after the change, milliseconds since 1970
   * @param before the values before the change
   * @param after the values after the change
   */
  record Written(long modifiedMillis, Map<String, String> before, Map<String, String> after) {}

  OverridesEditor(TrustedProperties overrides, Clock clock) {
    this.overrides = overrides;
    this.clock = clock;
  }

  /**
   * Changes the file.
   *
   * @param change changes its keys and values, which are empty if there is no file
   * @throws IOException if the file cannot be read or written, or others can write there; the file
   *     is then unchanged
   */
  Written change(Consumer<Map<String, String>> change) throws IOException {
    overrides.requireTrusted();
    makeDirectory(overrides.path().getParent());
    EditLock lock = EditLock.of(overrides.path());
    try {
      Map<String, String> before = overrides.read();
      Map<String, String> after = new TreeMap<>(before);
      change.accept(after);
      return new Written(write(after), before, after);
    } finally {
      lock.close();
    }
  }

  /**
   * Reverts a change: each changed key that still has its new value gets its old value again.
   *
   * @throws IOException if the file cannot be read or written
   */
  void revert(Written written) throws IOException {
    Set<String> changed = new TreeSet<>(written.before().keySet());
    changed.addAll(written.after().keySet());
    changed.removeIf(key -> Objects.equals(written.before().get(key), written.after().get(key)));
    Written unused =
        change(
            values ->
                changed.stream()
                    .filter(key -> Objects.equals(values.get(key), written.after().get(key)))
                    .forEach(key -> set(values, key, written.before().get(key))));
  }

  private static void set(Map<String, String> values, String key, String value) {
    if (value == null) {
      values.remove(key);
    } else {
      values.put(key, value);
    }
  }

  private long write(Map<String, String> values) throws IOException {
    Path file = overrides.path();
    long after = Files.exists(file) ? Files.getLastModifiedTime(file).toMillis() : 0;
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
    // This process's umask may have removed the others' read permission.
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
        text,
        "Written by charon enable, disable, reload, stop and resume. Takes precedence over "
            + "yarn-site.xml.");
    return text.toString();
  }

  private static void makeDirectory(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    try {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY_MODE));
      Files.setPosixFilePermissions(directory, DIRECTORY_MODE);
    } catch (FileAlreadyExistsException madeByAnotherCommand) {
      // Another command created the directory first; read() checks whether it can be trusted.
    }
  }
}
