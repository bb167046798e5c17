/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One daemon in a JVM of its own, whose output goes to a file. */
final class Daemon {
  private static final int TAIL_LINES = 30;

  private final String name;
  private final Path log;
  private final Process process;

  private Daemon(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts a JVM.
   *
   * @param name name in messages
   * @param jvmArguments arguments after {@code java}
   * @param environment variables added to this process's environment
   * @param log file to which standard output and error are appended
   */
  static Daemon start(
      String name, List<String> jvmArguments, Map<String, String> environment, Path log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    return new Daemon(name, log, builder.start());
  }

  long pid() {
    return process.pid();
  }

  /**
   * Fails if the daemon has exited.
   *
   * @throws IOException if it has exited; the message has the end of the daemon's log
   */
  void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException(
          name
              + " ended with exit code "
              + process.exitValue()
              + ". Its log, "
              + log
              + ", ends:\n"
              + tail());
    }
  }

  /** Returns the last lines of the log. */
  String tail() {
    try {
      List<String> lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(cannot be read: " + e.getMessage() + ")";
    }
  }

  /** Asks the daemon to exit (SIGTERM). */
  void terminate() {
    process.destroy();
  }

  /**
   * Kills the daemon's JVM (SIGKILL) without its children and waits until it is gone, at most 10 s.
   */
  void kill() {
    process.destroyForcibly();
    awaitEnd(Duration.ofSeconds(10));
  }

  /** Returns whether the daemon has exited with code 0. */
  boolean hasSucceeded() {
    return !process.isAlive() && process.exitValue() == 0;
  }

  /** Waits until the daemon exits and returns whether it has exited within the limit. */
  boolean awaitEnd(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }
}
