/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds programs as a shell would.
 *
 * @param directories directories to search, in order
 */
public record ProgramFinder(List<Path> directories) {
  /** Copies the list. */
  public ProgramFinder {
    directories = List.copyOf(directories);
  }

  /**
   * Searches the directories of the {@code PATH} variable, and those for system administration,
   * which an ordinary user's PATH may lack.
   *
   * @param path value of {@code PATH}; null counts as empty
   * @return the finder
   */
  public static ProgramFinder onPath(String path) {
    Stream<String> own =
        path == null ? Stream.empty() : Stream.of(path.split(File.pathSeparator, -1));
    return new ProgramFinder(
        Stream.concat(own, Stream.of("/usr/sbin", "/sbin"))
            .filter(directory -> !directory.isEmpty())
            .map(Path::of)
            .toList());
  }

  /**
   * Finds one program.
   *
   * @param name file name of the program
   * @return its path, or empty if no directory has an executable file of that name
   */
  public Optional<Path> find(String name) {
    return directories.stream()
        .map(directory -> directory.resolve(name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
