/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs programs to completion, and waits for their end, within a time limit. */
public final class Programs {
  /** More than the longest of these programs takes, on a slow machine too. */
  public static final Duration LIMIT = Duration.ofMinutes(10);

  /** Time for a killed process to end, and for the rest of the output of one that has ended. */
  private static final Duration END = Duration.ofSeconds(30);

  private Programs() {}

  /**
   * Runs a program that must succeed within {@link #LIMIT}.
   *
   * @return standard output and standard error of the program
   * @throws IOException if it cannot be started, fails or is late
   */
  public static String run(List<String> command) throws IOException, InterruptedException {
    return run(command, LIMIT);
  }

  /**
   * Runs a program that must succeed.
   *
   * @param limit a program that takes longer is killed
   * @return standard output and standard error of the program
   * @throws IOException if it cannot be started, fails or is late; the message has its output, or
   *     the limit
   */
  public static String run(List<String> command, Duration limit)
      throws IOException, InterruptedException {
    String name = String.join(" ", command);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    try {
      // A thread, because a program that hangs keeps its output open.
      FutureTask<byte[]> output = new FutureTask<>(() -> process.getInputStream().readAllBytes());
      Thread reader = new Thread(output, "charon-output-of-" + process.pid());
      reader.setDaemon(true);
      reader.start();
      int code = await(process, name, limit);
      String said = rest(output, name, limit.compareTo(END) < 0 ? limit : END);
      if (code != 0) {
        throw new IOException(name + " ended with exit code " + code + ": " + said.strip());
      }
      return said;
    } finally {
      killAll(process); // if this thread was interrupted
    }
  }

  private static String rest(FutureTask<byte[]> output, String name, Duration limit)
      throws IOException, InterruptedException {
    try {
      return new String(
          output.get(limit.toMillis(), TimeUnit.MILLISECONDS), StandardCharsets.UTF_8);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s has ended, but %d s later a process that it left behind still holds its output: end that process"
              .formatted(name, limit.toSeconds()),
          e);
    } catch (ExecutionException e) {
      throw new IOException("the output of " + name + " cannot be read", e.getCause());
    }
  }

  /**
   * Waits until a program has ended, and kills it and its descendants if it is late.
   *
   * @param name names the program in the message
   * @return its exit code
   * @throws IOException if it is late; the message has the limit
   */
  public static int await(Process process, String name, Duration limit)
      throws IOException, InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      killAll(process);
      throw new IOException(
          "%s did not end within %d s and was killed; run it alone to see what it waits for"
              .formatted(name, limit.toSeconds()));
    }
    return process.exitValue();
  }

  /**
   * Kills a program and waits until it has ended.
   *
   * @param name names the program in the message
   * @throws IOException if it does not end
   */
  public static void kill(Process process, String name) throws IOException, InterruptedException {
    if (!process.destroyForcibly().waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException(
          "%s (process %d) did not end within %d s after SIGKILL: it waits for a device, or its cgroup is frozen"
              .formatted(name, process.pid(), END.toSeconds()));
    }
  }

  private static void killAll(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
