/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Copies each line of a script's output as it comes; its errors go straight to the user. */
final class StreamingScriptRunner implements ScriptRunner {
  private final PrintStream out;

  /**
   * Creates the runner.
   *
   * @param out where the scripts' output goes
   */
  StreamingScriptRunner(PrintStream out) {
    this.out = out;
  }

  @Override
  public Outcome run(Path directory, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(Redirect.INHERIT)
            .redirectError(Redirect.INHERIT)
            .start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
        out.println(line);
        out.flush();
      }
      return new Outcome(process.waitFor(), lines);
    } finally {
      process.destroy();
    }
  }
}
