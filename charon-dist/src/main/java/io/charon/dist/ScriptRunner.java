/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs test scripts whose last line of output says how many tests ended how. */
@FunctionalInterface
interface ScriptRunner {
  /**
   * How a script ended.
   *
   * @param exitCode its exit code
   * @param lines its output
   */
  record Outcome(int exitCode, List<String> lines) {
    public Outcome {
      lines = List.copyOf(lines);
    }

    /** The last line of its output; empty if it printed nothing. */
    String lastLine() {
      return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }
  }

  /**
   * Runs one script to its end; the user sees its output while it runs.
   *
   * @param directory its working directory
   * @param command program and arguments
   * @return how it ended
   * @throws IOException if it cannot be started or its output cannot be read
   * @throws InterruptedException if interrupted while waiting
   */
  Outcome run(Path directory, List<String> command) throws IOException, InterruptedException;
}
