/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs other programs whose output goes directly to the user. */
@FunctionalInterface
interface CommandRunner {
  /**
   * Runs a program and waits until it ends.
   *
   * @param directory its working directory
   * @param command program and arguments
   * @return its exit code
   * @throws IOException if it cannot be started
   * @throws InterruptedException if interrupted while waiting
   */
  int run(Path directory, List<String> command) throws IOException, InterruptedException;
}
