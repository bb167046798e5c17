/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs programs with this process's own standard streams. */
final class InheritedCommandRunner implements CommandRunner {
  @Override
  public int run(Path directory, List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    try {
      return process.waitFor();
    } finally {
      process.destroy();
    }
  }
}
