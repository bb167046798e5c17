/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files that the demo's jobs need.
 *
 * @param directory directory of the part files
 * @param text the part files
 * @param taskProgram the program of the paced tasks
 */
public record PreparedInput(Path directory, InputText text, Path taskProgram) {
  /**
   * Writes the part files and compiles the program.
   *
   * @param sources a text file, a directory of text files, or a directory of source jars
   * @param root the repository, which holds the source of the program
   * @param directory directory of the files; created if missing
   * @param megabytes size of the text, MiB
   * @throws IOException if the source holds no text, or the program cannot be compiled; the message
   *     says what to do
   */
  public static PreparedInput prepare(Path sources, Path root, Path directory, int megabytes)
      throws IOException, InterruptedException {
    InputText text =
        InputText.prepare(
            sources, directory, (long) megabytes << 20, megabytes / WorkloadPlan.INPUT_PART_MB);
    return new PreparedInput(directory, text, PacedTask.compile(root, directory));
  }

  /**
   * Finds the files that {@link #prepare} wrote, possibly in another process.
   *
   * @throws IOException if the program is missing or the directory cannot be read; the message
   *     names the path
   */
  public static PreparedInput in(Path directory) throws IOException {
    Path program = directory.resolve(PacedTask.NAME);
    if (!Files.isExecutable(program)) {
      throw new IOException("The program of the demo's tasks does not exist: " + program);
    }
    return new PreparedInput(
        directory, new InputText(ProductionMapper.partsOf(directory)), program);
  }
}
