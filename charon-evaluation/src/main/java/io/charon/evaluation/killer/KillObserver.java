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
 * Observes the end of one container from outside of the memory pressure, with real-time priority.
 * All variants are observed by the same program, {@code kill-observer}, so that their numbers are
 * comparable.
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
   * Starts to observe a container; its first process must be running.
   *
   * @param limit maximum time to observe
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
   * @return time at which the last process was gone, CLOCK_MONOTONIC nanoseconds; empty if the
   *     container outlived the limit
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

  /** Returns when Linux's own OOM killer chose a process of the container; empty if it did not. */
  OptionalLong outOfMemoryKillNanos() {
    return outOfMemoryKillNanos;
  }

  /**
   * Returns when memory and swap of the container fell below a tenth of their size at the decision.
   *
   * @param decisionNanos time of the decision
   * @return empty if more than a tenth stayed in use for two seconds after the end
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
