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
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The file in which an operator changes keys on one node at run time ({@code bin/charon enable}): a
 * Java properties file, above {@code yarn-site.xml}. Believed only if its path is a {@link
 * TrustedPath}.
 */
public final class OverridesFile {
  /** More than all keys with long values need. */
  private static final int MOST_BYTES = 64 * 1024;

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
   * @param user whom to trust beside root: the one as whom this program runs
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
  public Map<String, String> read() throws IOException {
    if (attributes().isEmpty()) {
      return Map.of();
    }
    requireTrusted();
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

  /**
   * Whoever can write here decides what Charon does on this node.
   *
   * @throws IOException if others can; the message says what to do
   */
  public void requireTrusted() throws IOException {
    TrustedPath.require(file, user);
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

  private Optional<BasicFileAttributes> attributes() {
    try {
      return Optional.of(
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    } catch (IOException absent) {
      return Optional.empty();
    }
  }
}
