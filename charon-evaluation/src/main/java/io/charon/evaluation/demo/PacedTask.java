/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.machine.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The program of the paced tasks. It is compiled for each demo, which takes less than a second. */
final class PacedTask {
  /** Name of the program, by which command lines of tasks are recognized. */
  static final String NAME = "paced-task";

  private static final String SOURCE = "charon-evaluation/src/main/native/" + NAME + ".c";

  private PacedTask() {}

  /**
   * Compiles the program.
   *
   * @param root the repository
   * @param directory directory of the compiled program
   * @throws IOException if there is no compiler or compilation fails; the message says what to do
   */
  static Path compile(Path root, Path directory) throws IOException, InterruptedException {
    Path program = directory.resolve(NAME);
    try {
      Programs.run(
          List.of(
              "cc",
              "-O3",
              "-D_GNU_SOURCE",
              "-Wall",
              "-Werror",
              "-o",
              program.toString(),
              root.resolve(SOURCE).toString()));
    } catch (IOException e) {
      throw new IOException(
          "the demo's tasks are written in C and cannot be compiled; install a compiler (on Debian:"
              + " apt-get install gcc libc6-dev). "
              + e.getMessage(),
          e);
    }
    return program;
  }
}
