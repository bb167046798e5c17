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
 * Runs {@code ua-killer reclaim}: a process for as many containers as are asked together, which
 * ends with them. A JVM that stops for a collection between two writes would leave a low limit for
 * as long as that takes.
 */
final class ReclaimProgram {
  /** So many lines and their answers fit into a pipe, so that nobody waits for the other. */
  static final int MAX_LINES = 100;

  private static final int LONGEST_ANSWER_BYTES = MAX_LINES * 500;

  /**
   * What came of one line.
   *
   * @param number which line, from 0
   * @param result "taken", or why not all of it
   * @param takenBytes what the container holds less now, not negative
   * @param heldMicros for how long its low limit may have stood
   */
  record Answer(int number, String result, long takenBytes, long heldMicros) {
    /** Whether the kernel found all that was wanted. */
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
   * Runs it to its end. Afterwards it is no more, whatever happened.
   *
   * @param lines at most {@link #MAX_LINES}
   * @return what it said; of a line that it did not come to nothing
   * @throws IOException if it cannot be started, ends with an error, or does not end
   */
  List<Answer> run(List<String> lines) throws IOException {
    Process process = helper.start(List.of("reclaim"));
    try {
      try (OutputStream input = process.getOutputStream()) {
        input.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
      }
      if (!process.waitFor(helper.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("ua-killer reclaim has not ended after " + helper.timeout());
      }
      byte[] said = process.getInputStream().readNBytes(LONGEST_ANSWER_BYTES);
      if (process.exitValue() != 0) {
        throw new IOException(
            "ua-killer reclaim has ended with %d: %s"
                .formatted(process.exitValue(), new String(said, StandardCharsets.UTF_8).strip()));
      }
      return answers(new String(said, StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted while it ran").initCause(e);
    } finally {
      end(process);
    }
  }

  /** Who was sent SIGKILL writes nothing more, but it may be in the kernel yet. */
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
