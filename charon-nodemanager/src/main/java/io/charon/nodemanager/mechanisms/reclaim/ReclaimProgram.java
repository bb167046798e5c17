/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.reclaim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs {@code ua-killer reclaim}: one process for all containers of a request, which ends with
 * them. If the JVM itself wrote the limits, a garbage collection between two writes would leave a
 * low limit in place for as long as it takes.
 */
final class ReclaimProgram {
  /**
   * Maximum number of lines of one run: these and their answers fit into a pipe, so neither side
   * blocks.
   */
  static final int MAX_LINES = 100;

  private static final int MAX_ANSWER_BYTES = MAX_LINES * 500;

  /**
   * The answer to one line.
   *
   * @param number index of the line, from 0
   * @param result "taken", or why less than wanted was reclaimed
   * @param takenBytes decrease of the container's use, at least 0, bytes
   * @param heldMicros upper limit of the time that the low limit was in place, microseconds
   */
  record Answer(int number, String result, long takenBytes, long heldMicros) {
    /** Returns whether the kernel reclaimed all that was wanted. */
    boolean isWhole() {
      return result.equals("taken");
    }
  }

  private final Helper helper;
  private final ObjectMapper mapper = new ObjectMapper();

  ReclaimProgram(Helper helper) {
    this.helper = helper;
  }

  /**
   * Runs the program to its end. The process has ended afterwards, whatever happened.
   *
   * @param lines at most {@link #MAX_LINES}
   * @return the answers; there is none for a line that the program did not reach
   * @throws IOException if the program cannot be started, fails, or does not end in time
   */
  List<Answer> run(List<String> lines) throws IOException {
    Process process = helper.start(List.of("reclaim"));
    try {
      try (OutputStream input = process.getOutputStream()) {
        input.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
      }
      if (!process.waitFor(helper.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("ua-killer reclaim did not exit within " + helper.timeout());
      }
      byte[] said = process.getInputStream().readNBytes(MAX_ANSWER_BYTES);
      if (process.exitValue() != 0) {
        throw new IOException(
            "ua-killer reclaim exited with code %d: %s"
                .formatted(process.exitValue(), new String(said, StandardCharsets.UTF_8).strip()));
      }
      return answers(new String(said, StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while ua-killer reclaim ran").initCause(e);
    } finally {
      end(process);
    }
  }

  /**
   * Kills the process and waits up to 1 s: after SIGKILL it writes nothing more, but may still be
   * in the kernel.
   */
  private static void end(Process process) {
    process.destroyForcibly();
    boolean interrupted = Thread.interrupted();
    try {
      boolean unused = process.waitFor(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Answer> answers(String said) throws IOException {
    List<Answer> answers = new ArrayList<>();
    for (String line : said.lines().toList()) {
      JsonNode answer = mapper.readTree(line);
      answers.add(
          new Answer(
              answer.path("number").asInt(),
              answer.path("result").asText(),
              Math.max(0, answer.path("beforeBytes").asLong() - answer.path("afterBytes").asLong()),
              answer.path("heldMicros").asLong()));
    }
    return answers;
  }
}
