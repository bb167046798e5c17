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
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running {@code ua-killer counters}: each line written is a request, each line read an answer.
 * The helper exits when this process does, because its standard input then reaches its end.
 */
final class CountingProcess implements AutoCloseable {
  private static final Pattern NUMBERS =
      Pattern.compile("(\\d{1,18}) (\\d{1,18}) (\\d{1,18}) (\\d{1,18})");
  private static final int MAX_LETTERS = 1000;
  private static final Duration STEP = Duration.ofMillis(2);

  private final Process process;
  private final Duration timeout;
  private final LongSupplier nanoClock;

  /**
   * The counts since the previous answer.
   *
   * @param cycles CPU cycles of the foreground
   * @param instructions instructions of the foreground
   * @param wantedNanos time that the counters should have counted, summed over CPUs and cgroups
   * @param hadNanos time that they did count
   */
  record Counts(long cycles, long instructions, long wantedNanos, long hadNanos) {}

  /**
   * Wraps a process that was just started.
   *
   * @param process terminated when this is closed
   * @param timeout longest time that an answer may take
   * @param nanoClock monotonic nanoseconds
   */
  CountingProcess(Process process, Duration timeout, LongSupplier nanoClock) {
    this.process = process;
    this.timeout = timeout;
    this.nanoClock = nanoClock;
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @throws IOException with the helper's own message if it has exited, or if the answer is
   *     malformed
   */
  Counts ask() throws IOException {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      // The helper has exited; its last output, read below, gives the reason.
    }
    String line = line(nanoClock.getAsLong());
    Matcher numbers = NUMBERS.matcher(line);
    if (!numbers.matches()) {
      throw new IOException("ua-killer counters reported: " + line);
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
            "ua-killer counters has exited: "
                + (line.isEmpty() ? Helper.remainingOutput(process) : line));
      } else if (nanoClock.getAsLong() - start >= timeout.toNanos()) {
        throw new IOException(
            "ua-killer counters did not answer within %d ms".formatted(timeout.toMillis()));
      } else {
        pause();
      }
    }
    throw new IOException("ua-killer counters reported: " + line);
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(STEP.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while waiting for ua-killer counters")
              .initCause(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
