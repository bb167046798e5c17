/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running {@code ua-killer counters}: a line is a question, a line the answer. It ends when this
 * process does, because its standard input ends then.
 */
final class CountingProcess implements AutoCloseable {
  private static final Pattern NUMBERS =
      Pattern.compile("(\\d{1,18}) (\\d{1,18}) (\\d{1,18}) (\\d{1,18})");
  private static final int MAX_LETTERS = 1000;
  private static final Duration STEP = Duration.ofMillis(2);

  private final Process process;
  private final Duration timeout;

  /**
   * What was counted since the answer before.
   *
   * @param cycles of the foreground
   * @param instructions of the foreground
   * @param wantedNanos for how long counters should have counted, summed over CPUs and cgroups
   * @param hadNanos for how long they did
   */
  record Counts(long cycles, long instructions, long wantedNanos, long hadNanos) {}

  /**
   * Takes a process that was just started.
   *
   * @param process ends with this
   * @param timeout how long an answer may take
   */
  CountingProcess(Process process, Duration timeout) {
    this.process = process;
    this.timeout = timeout;
  }

  /**
   * Asks, and waits for the answer.
   *
   * @throws IOException with the process's own words if it has ended, or if the answer is none
   */
  Counts ask() throws IOException {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It has ended, and its last words say why.
    }
    String line = line(System.nanoTime());
    Matcher numbers = NUMBERS.matcher(line);
    if (!numbers.matches()) {
      throw new IOException("the helper that counts says: " + line);
    }
    return new Counts(
        Long.parseLong(numbers.group(1)),
        Long.parseLong(numbers.group(2)),
        Long.parseLong(numbers.group(3)),
        Long.parseLong(numbers.group(4)));
  }

  private String line(long start) throws IOException {
    InputStream output = process.getInputStream();
    StringBuilder line = new StringBuilder();
    while (line.length() <= MAX_LETTERS) {
      boolean ended = !process.isAlive();
      byte[] more = output.readNBytes(Math.min(output.available(), 1));
      if (more.length > 0) {
        if (more[0] == '\n') {
          return line.toString();
        }
        line.append(new String(more, StandardCharsets.ISO_8859_1));
      } else if (ended) {
        throw new IOException(
            "the helper that counts has ended: "
                + (line.isEmpty() ? Helper.lastWords(process) : line));
      } else if (System.nanoTime() - start >= timeout.toNanos()) {
        throw new IOException(
            "the helper that counts has not answered within %d ms".formatted(timeout.toMillis()));
      } else {
        pause();
      }
    }
    throw new IOException("the helper that counts says: " + line);
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(STEP.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while the helper counted").initCause(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
