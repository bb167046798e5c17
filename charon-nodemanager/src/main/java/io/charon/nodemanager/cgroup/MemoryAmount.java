/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** An amount of memory in a file of a version 2 cgroup: bytes, or "max" for all of it. */
final class MemoryAmount {
  /** All memory of a cgroup. */
  static final long ALL = Long.MAX_VALUE;

  private static final String ALL_TEXT = "max";

  private MemoryAmount() {}

  /**
   * Reads an amount; 0 if the cgroup is gone.
   *
   * @throws IOException naming the file, if it cannot be read or is no amount
   */
  static long read(Path file) throws IOException {
    Optional<String> text = text(file);
    try {
      return text.map(value -> value.equals(ALL_TEXT) ? ALL : Long.parseLong(value)).orElse(0L);
    } catch (NumberFormatException e) {
      throw new IOException(
          file + " holds '" + text.orElseThrow() + "', which is not a number of bytes", e);
    }
  }

  private static Optional<String> text(Path file) throws IOException {
    try {
      return CgroupDirectories.readIfPresent(file);
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e, e);
    }
  }

  /**
   * Writes an amount.
   *
   * @throws IOException naming the file, if it cannot be written
   */
  static void write(Path file, long bytes) throws IOException {
    try {
      CgroupDirectories.write(file, inWords(bytes) + "\n");
    } catch (IOException e) {
      throw new IOException("cannot write " + file + ": " + e, e);
    }
  }

  /** Returns an amount as the kernel writes it. */
  static String inWords(long bytes) {
    return bytes == ALL ? ALL_TEXT : Long.toString(bytes);
  }

  /** Returns the sum of two amounts that are not negative, at most {@link #ALL}. */
  static long sum(long one, long other) {
    return other > ALL - one ? ALL : one + other;
  }
}
