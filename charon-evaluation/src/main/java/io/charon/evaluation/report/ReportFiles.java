/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the files of a report, and the directories in which they are to be. */
public final class ReportFiles {
  private ReportFiles() {}

  /**
   * Writes text.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, CharSequence text) throws IOException {
    Files.writeString(inDirectory(file), text);
  }

  /** Creates the directory of a file, and returns the file. */
  static Path inDirectory(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    return file;
  }
}
