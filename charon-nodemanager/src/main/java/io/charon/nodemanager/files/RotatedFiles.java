/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The files of a log, of which only the newest is written.
 *
 * @param directory their directory, which may be missing
 * @param count maximum number of files, at least 1
 * @param name returns the name of a file by its age: 0 for the newest, below {@code count}
 */
public record RotatedFiles(Path directory, int count, IntFunction<String> name) {
  /** Returns the path of a file, which may be missing. */
  public Path file(int age) {
    return directory.resolve(name.apply(age));
  }

  /**
   * Returns the existing files, the oldest first.
   *
   * @throws IOException if the directory does not exist or cannot be read; the message names it
   */
  public List<Path> existing() throws IOException {
    return ReadableFiles.existing(
        directory,
        IntStream.iterate(count - 1, age -> age >= 0, age -> age - 1).mapToObj(name).toList());
  }

  /**
   * Makes files older by one, so that a new one can be begun.
   *
   * @param last the file that is replaced; those that are older keep their age
   */
  public void rotate(int last) throws IOException {
    for (int age = last; age > 0; age--) {
      if (Files.exists(file(age - 1))) {
        Files.move(file(age - 1), file(age), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
