/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The PostgreSQL programs as Debian installs them.
 *
 * @param directory directory of the programs
 */
public record PostgresPrograms(Path directory) {
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

  /**
   * Finds the newest installed version.
   *
   * @throws IOException if there is none; the message says how to install it
   */
  public static PostgresPrograms find() throws IOException {
    return in(VERSIONS);
  }

  static PostgresPrograms in(Path versions) throws IOException {
    if (Files.isDirectory(versions)) {
      try (Stream<Path> found = Files.list(versions)) {
        Optional<Path> newest =
            found
                .map(version -> version.resolve("bin"))
                .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
                .filter(bin -> Files.isExecutable(bin.resolve("pgbench")))
                .max(Comparator.comparing(Path::toString));
        if (newest.isPresent()) {
          return new PostgresPrograms(newest.get());
        }
      }
    }
    throw new IOException(
        "no PostgreSQL in "
            + versions
            + ": run in the repository: kernel-ua-killer/install-packages.sh --cluster");
  }

  /** Returns the path of a program. */
  String program(String name) {
    return directory.resolve(name).toString();
  }
}
