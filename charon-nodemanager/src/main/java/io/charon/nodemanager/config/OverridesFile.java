/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The file in which an operator changes keys on one node at run time ({@code bin/charon enable}): a
 * Java properties file, above {@code yarn-site.xml}. Believed only if nobody but root and the
 * NodeManager's own user can write it.
 */
public final class OverridesFile {
  /** More than all keys with long values need. */
  private static final int MOST_BYTES = 64 * 1024;

  private static final String ROOT = "root";

  private final Path file;
  private final String user;

  /**
   * Which state of the file.
   *
   * @param modifiedMillis when it was written, milliseconds since 1970; 0 if there is none
   * @param bytes how long it is
   */
  public record Version(long modifiedMillis, long bytes) {
    static Version none() {
      return new Version(0, 0);
    }
  }

  /**
   * A file that need not exist.
   *
   * @param file absolute
   * @param user the NodeManager's own
   */
  public OverridesFile(Path file, String user) {
    this.file = file;
    this.user = user;
  }

  /** Where it is. */
  public Path path() {
    return file;
  }

  /** Which state it is in; cheap enough for every tick. */
  Version version() {
    return attributes()
        .map(found -> new Version(found.lastModifiedTime().toMillis(), found.size()))
        .orElseGet(Version::none);
  }

  /**
   * What it says.
   *
   * @return keys of Charon and their values; empty if there is no file
   * @throws IOException if it cannot be read or is not to be believed; the message says what to do
   */
  Map<String, String> read() throws IOException {
    if (attributes().isEmpty()) {
      return Map.of();
    }
    requireOurs(file);
    requireOurs(file.getParent());
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(content()));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not a properties file: " + e.getMessage(), e);
    }
    Map<String, String> overrides = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (!key.startsWith(SettingsReader.PREFIX)) {
        throw new IOException(
            "%s: '%s' is not a key of Charon; they start with %s"
                .formatted(file, key, SettingsReader.PREFIX));
      }
      overrides.put(key, properties.getProperty(key));
    }
    return overrides;
  }

  private String content() throws IOException {
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] content = in.readNBytes(MOST_BYTES + 1);
      if (content.length > MOST_BYTES) {
        throw new IOException("%s has more than %d bytes".formatted(file, MOST_BYTES));
      }
      return new String(content, StandardCharsets.UTF_8);
    }
  }

  private Optional<PosixFileAttributes> attributes() {
    try {
      return Optional.of(attributes(file));
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  private static PosixFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Whoever can write here decides what Charon does on this node. */
  private void requireOurs(Path path) throws IOException {
    PosixFileAttributes found;
    try {
      found = attributes(path);
    } catch (NoSuchFileException e) {
      throw new IOException(path + " has vanished", e);
    }
    String owner = found.owner().getName();
    boolean trusted = owner.equals(ROOT) || owner.equals(user);
    boolean writable =
        found.permissions().contains(PosixFilePermission.GROUP_WRITE)
            || found.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    if (found.isSymbolicLink() || !trusted || writable) {
      throw new IOException(
          "%s is not believed: it must be no link, belong to root or %s (it belongs to %s), and be writable for its owner only (chmod go-w %1$s)"
              .formatted(path, user, owner));
    }
  }
}
