/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether this process writes to a terminal. */
final class Terminal {
  private Terminal() {}

  /** Returns whether standard output is a terminal, as opposed to a pipe or a file. */
  static boolean isStandardOutput() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException unknown) {
      return false;
    }
  }
}
