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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The program ua-killer, which does for the regulators what this process has no privilege for. Runs
 * without a shell and without this process's environment.
 */
public final class Helper {
  private static final String CAPABILITIES = "cap_net_admin,cap_bpf,cap_perfmon=p";
  private static final int SHOWN_BYTES = 2000;

  private final List<String> command;
  private final Duration timeout;

  /**
   * A program that has not run yet.
   *
   * @param command its program as an absolute path, and what always comes first
   * @param timeout how long an answer may take
   */
  public Helper(List<String> command, Duration timeout) {
    this.command = List.copyOf(command);
    this.timeout = timeout;
  }

  /**
   * What the program said.
   *
   * @param code its exit code, 0 if all went well
   * @param text its output and errors, shortened; never empty
   */
  public record Answer(int code, String text) {
    /** Whether it did what it was told. */
    public boolean isDone() {
      return code == 0;
    }
  }

  /** How long an answer may take. */
  public Duration timeout() {
    return timeout;
  }

  /** Why there is no such program, with the cure; empty if there is. */
  public Optional<String> unavailable() {
    Path program = Path.of(command.get(0));
    return program.isAbsolute() && Files.isExecutable(program)
        ? Optional.empty()
        : Optional.of(
            program + " is no program that may be run: install ua-killer, and name its whole path");
  }

  /**
   * Runs the program to its end.
   *
   * @param words what it shall do
   * @throws IOException if it cannot be started, or takes too long
   */
  public Answer call(List<String> words) throws IOException {
    Process process = start(words);
    try {
      process.getOutputStream().close();
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "%s %s has not ended after %d ms"
                .formatted(
                    command.get(0),
                    String.join(" ", words.subList(0, Math.min(2, words.size()))),
                    timeout.toMillis()));
      }
      return new Answer(process.exitValue(), lastWords(process));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while " + command.get(0) + " ran").initCause(e);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Starts the program; the caller ends it. Its errors come with its output.
   *
   * @param words what it shall do
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
   * What a process wrote that has ended, or its exit code. That is in the pipe by now; to wait for
   * more could be to wait for ever.
   */
  public static String lastWords(Process process) throws IOException {
    InputStream output = process.getInputStream();
    byte[] text = output.readNBytes(Math.min(output.available(), SHOWN_BYTES));
    String said = new String(text, StandardCharsets.UTF_8).strip();
    return said.isEmpty() ? "exit code " + process.exitValue() : said;
  }

  /**
   * What the program said, with the cure if it lacks a capability. A program with capabilities
   * lends them to everybody who may run it, so the group comes first.
   */
  public String explain(String said) {
    String program = command.get(command.size() - 1);
    return said.contains("CAP_")
        ? "%s; as root, with a GROUP of the NodeManager's user alone: chgrp GROUP %s && chmod 0750 %2$s && setcap %s %2$s"
            .formatted(said, program, CAPABILITIES)
        : said;
  }
}
