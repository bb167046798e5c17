/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.machine.NativeTools;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Watches one container die, from outside of the pressure and with real-time priority: the same
 * {@code kill-observer} for every variant, so that their numbers can be compared.
 */
final class KillObserver implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private OptionalLong outOfMemoryKillNanos = OptionalLong.empty();

  private KillObserver(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Begins to watch a container whose first process runs.
   *
   * @param limit how long to watch
   */
  static KillObserver start(NativeTools tools, MemoryContainer container, Duration limit)
      throws IOException {
    Process process =
        new ProcessBuilder(
                tools.observer().toString(),
                container.directory().toString(),
                Long.toString(limit.toMillis()))
            .redirectError(Redirect.INHERIT)
            .start();
    KillObserver observer = new KillObserver(process);
    String line = observer.output.readLine();
    if (line == null || !line.startsWith("watching ")) {
      throw new IOException("the observer does not start: " + line);
    }
    return observer;
  }

  /**
   * Waits for the end of the container.
   *
   * @return when its last process was gone, CLOCK_MONOTONIC nanoseconds; empty if it outlived the
   *     limit
   */
  OptionalLong awaitGone() throws IOException {
    String line = output.readLine();
    while (line != null) {
      if (line.startsWith("oom-kill ")) {
        outOfMemoryKillNanos = OptionalLong.of(number(line));
      } else {
        return line.startsWith("gone ") ? OptionalLong.of(number(line)) : OptionalLong.empty();
      }
      line = output.readLine();
    }
    throw new IOException("the observer ended early");
  }

  /** When Linux's own OOM killer chose a process of the container, if it did. */
  OptionalLong outOfMemoryKillNanos() {
    return outOfMemoryKillNanos;
  }

  /**
   * When memory and swap of the container fell below a tenth of what they were at the decision.
   *
   * @param decisionNanos when the kill was decided
   * @return empty if that much stayed in use for two seconds
   */
  OptionalLong freedAfter(long decisionNanos) throws IOException {
    try (var input = process.outputWriter(StandardCharsets.US_ASCII)) {
      input.write(decisionNanos + "\n");
    }
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the observer ended early");
    }
    return line.startsWith("freed ") ? OptionalLong.of(number(line)) : OptionalLong.empty();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private static long number(String line) {
    return Long.parseLong(line.split(" ", -1)[1]);
  }
}
