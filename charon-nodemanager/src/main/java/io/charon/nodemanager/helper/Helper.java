/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.helper;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs a helper program, usually ua-killer, which performs operations for which this process has no
 * privilege. Runs it without a shell and without this process's environment.
 */
public final class Helper {
  private static final String CAPABILITIES = "cap_net_admin,cap_bpf,cap_perfmon=p";
  private static final int SHOWN_BYTES = 2000;

  private final List<String> command;
  private final Duration timeout;

  /**
   * Creates a helper without running the program.
   *
   * @param command absolute path of the program, and the arguments that always come first
   * @param timeout longest time until the program has exited
   */
  public Helper(List<String> command, Duration timeout) {
    this.command = List.copyOf(command);
    this.timeout = timeout;
  }

  /**
   * The result of the program.
   *
   * @param code its exit code, 0 on success
   * @param text its output and errors, shortened; never empty
   */
  public record Answer(int code, String text) {
    /** Returns whether the program succeeded. */
    public boolean isDone() {
      return code == 0;
    }
  }

  /** Returns the longest time until the program has exited. */
  public Duration timeout() {
    return timeout;
  }

  /** Returns why the program is not available, with the cure; empty if it is. */
  public Optional<String> unavailable() {
    Path program = Path.of(command.get(0));
    return program.isAbsolute() && Files.isExecutable(program)
        ? Optional.empty()
        : Optional.of(
            program
                + " is not an executable program: install ua-killer, and set its absolute path");
  }

  /** Returns a key of the installed file, which no later one has; empty if there is none. */
  public Optional<Object> installed() {
    try {
      BasicFileAttributes file =
          Files.readAttributes(Path.of(command.get(0)), BasicFileAttributes.class);
      return Optional.of(Objects.requireNonNullElse(file.fileKey(), file.lastModifiedTime()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether another file is installed by now, with which a process that runs for long has
   * to be started again.
   *
   * @param before {@link #installed} when the process was started
   */
  public boolean isReplacedSince(Optional<Object> before) {
    Optional<Object> now = installed();
    return now.isPresent() && !now.equals(before);
  }

  /**
   * Runs the program until it exits.
   *
   * @param words further arguments
   * @throws IOException if it cannot be started or exceeds the timeout
   */
  public Answer call(List<String> words) throws IOException {
    Process process = start(words);
    try {
      process.getOutputStream().close();
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "%s %s did not exit within %d ms"
                .formatted(
                    command.get(0),
                    String.join(" ", words.subList(0, Math.min(2, words.size()))),
                    timeout.toMillis()));
      }
      return new Answer(process.exitValue(), remainingOutput(process));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while waiting for " + command.get(0))
              .initCause(e);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Starts the program, which the caller has to terminate. Its errors are merged into its output.
   *
   * @param words further arguments
   * @throws IOException if it cannot be started
   */
  public Process start(List<String> words) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().clear();
    return builder.start();
  }

  /**
   * Returns the output of a process that has exited, or its exit code if it wrote nothing. Reads
   * only what is in the pipe, because waiting for more could block forever.
   */
  public static String remainingOutput(Process process) throws IOException {
    InputStream output = process.getInputStream();
    byte[] text = output.readNBytes(Math.min(output.available(), SHOWN_BYTES));
    String said = new String(text, StandardCharsets.UTF_8).strip();
    return said.isEmpty() ? "exit code " + process.exitValue() : said;
  }

  /**
   * Returns the program's message, with the cure if it lacks a capability. The cure restricts the
   * group first, because every user who may run a program with capabilities gains them.
   */
  public String withCapabilityHint(String said) {
    String program = command.get(command.size() - 1);
    return said.contains("CAP_")
        ? "%s; as root, with a GROUP that only the NodeManager's user belongs to: chgrp GROUP %s && chmod 0750 %2$s && setcap %s %2$s"
            .formatted(said, program, CAPABILITIES)
        : said;
  }
}
