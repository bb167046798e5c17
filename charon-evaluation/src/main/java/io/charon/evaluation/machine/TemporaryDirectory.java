/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for files that nobody wants afterwards. */
public final class TemporaryDirectory {
  private TemporaryDirectory() {}

  /**
   * Makes one.
   *
   * @param prefix of its name
   * @param cleanup learns how to remove it with all that is in it
   */
  public static Path create(String prefix, Cleanup cleanup) throws IOException {
    Path directory = Files.createTempDirectory(prefix);
    cleanup.add(() -> delete(directory));
    return directory;
  }

  /** Removes a directory with all that is in it. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
