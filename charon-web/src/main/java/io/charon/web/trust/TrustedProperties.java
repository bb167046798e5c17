/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.trust;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A Java properties file with Charon's keys, by which an operator changes what a daemon does at run
 * time. It is trusted only if its path is a {@link TrustedPath}.
 */
public class TrustedProperties {
  /** More than all keys with long values need. */
  private static final int MAX_BYTES = 64 * 1024;

  private final Path file;
  private final String user;
  private final String prefix;

  /**
   * A version of the file.
   *
   * @param modifiedMillis modification time, milliseconds since 1970; 0 if there is no file
   * @param bytes size
   */
  public record Version(long modifiedMillis, long bytes) {
    /** The version if there is no file. */
    public static Version none() {
      return new Version(0, 0);
    }
  }

  /**
   * Creates the object; the file need not exist.
   *
   * @param file absolute path
   * @param user the user to trust besides root: the one that runs this program
   * @param prefix prefix of every key
   */
  public TrustedProperties(Path file, String user, String prefix) {
    this.file = file;
    this.user = user;
    this.prefix = prefix;
  }

  /** The path of the file. */
  public final Path path() {
    return file;
  }

  /**
   * Returns the current version; cheap enough for every tick.
   *
   * @throws IOException if it cannot be determined: a file that cannot be seen is not a missing
   *     file
   */
  public final Version version() throws IOException {
    return attributes()
        .map(found -> new Version(found.lastModifiedTime().toMillis(), found.size()))
        .orElseGet(Version::none);
  }

  /**
   * Reads the file.
   *
   * @return Charon's keys and their values; empty if there is no file
   * @throws IOException if it cannot be read or must not be trusted; the message says what to do
   */
  public final Map<String, String> read() throws IOException {
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
    Map<String, String> values = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (!key.startsWith(prefix)) {
        throw new IOException(
            "%s: '%s' is not a key of Charon; they start with %s".formatted(file, key, prefix));
      }
      values.put(key, properties.getProperty(key));
    }
    return values;
  }

  /**
   * Checks that no other user can write the file, because its content decides what Charon does.
   *
   * @throws IOException if others can write it; the message says what to do
   */
  public final void requireTrusted() throws IOException {
    TrustedPath.require(file, user);
  }

  private String content() throws IOException {
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw new IOException("%s has more than %d bytes".formatted(file, MAX_BYTES));
      }
      return new String(content, StandardCharsets.UTF_8);
    }
  }

  private Optional<BasicFileAttributes> attributes() throws IOException {
    try {
      return Optional.of(
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }
}
