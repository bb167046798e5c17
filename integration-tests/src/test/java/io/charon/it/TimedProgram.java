/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs of tests; neither a program nor its descendants outlive the time limit. */
final class TimedProgram {
  /** Time for a program to clean up after it was asked to end. */
  private static final Duration GRACE = Duration.ofSeconds(15);

  private static final int TAIL_CHARACTERS = 8000;

  private TimedProgram() {}

  /**
   * The result of a program.
   *
   * @param exitCode its exit code
   * @param said standard output and standard error
   */
  record Result(int exitCode, String said) {}

  /**
   * Runs a program without input until it ends.
   *
   * @throws AssertionError if it has not ended in time; the message contains its command and last
   *     output
   */
  static Result run(ProcessBuilder program, Duration limit)
      throws IOException, InterruptedException {
    // A file, because descendants may keep a pipe open long after the program has ended.
    Path log = Files.createTempFile("charon-it-", ".log");
    try {
      Process process =
          program
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .redirectInput(new File("/dev/null"))
              .start();
      try {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new AssertionError(
              "not within %d s: %s%n%s"
                  .formatted(
                      limit.toSeconds(), String.join(" ", program.command()), tail(read(log))));
        }
      } finally {
        end(process);
      }
      return new Result(process.exitValue(), read(log));
    } finally {
      Files.delete(log);
    }
  }

  /**
   * Ends a program and its descendants: terminates the program and kills all that remain.
   *
   * @throws AssertionError if a process survives that
   */
  static void end(Process process) {
    // Collected first, because the descendants of an ended process cannot be found.
    List<ProcessHandle> started = new ArrayList<>(process.descendants().toList());
    process.destroy();
    if (!endsWithinGrace(process.toHandle())) {
      process.descendants().forEach(started::add);
      started.add(process.toHandle());
    }
    started.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle one : started) {
      if (!endsWithinGrace(one)) {
        throw new AssertionError("not ended by SIGKILL: " + one.info().commandLine().orElse("?"));
      }
    }
  }

  /** Waits even in an interrupted test, because its processes must end. */
  private static boolean endsWithinGrace(ProcessHandle process) {
    process.onExit().completeOnTimeout(process, GRACE.toMillis(), TimeUnit.MILLISECONDS).join();
    return !process.isAlive();
  }

  private static String read(Path log) throws IOException {
    return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
  }

  private static String tail(String said) {
    return said.substring(Math.max(0, said.length() - TAIL_CHARACTERS));
  }
}
