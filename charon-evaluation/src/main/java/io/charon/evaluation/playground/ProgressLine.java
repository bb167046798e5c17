/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.evaluation.demo.LiveLine;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/**
 * Shows that an operation takes time: one line that is redrawn on a terminal, otherwise a line
 * every few seconds. Nothing is shown in the first 2 seconds.
 */
public final class ProgressLine {
  private static final long FIRST_SECONDS = 2;
  private static final long SECONDS_BETWEEN_LINES = 5;

  private final LiveLine line;
  private final boolean terminal;
  private final long startNanos = System.nanoTime();
  private long nextSecond = FIRST_SECONDS;

  /**
   * Starts to measure the waiting time.
   *
   * @param terminal whether {@code out} is a terminal, on which a line can be redrawn
   */
  public ProgressLine(PrintWriter out, boolean terminal) {
    this.line = new LiveLine(out, terminal);
    this.terminal = terminal;
  }

  /** Shows a text with the waiting time if the next update is due. */
  void update(String text) {
    long seconds = seconds();
    if (seconds < nextSecond) {
      return;
    }
    nextSecond = seconds + (terminal ? 1 : SECONDS_BETWEEN_LINES);
    line.show("%4d s  %s".formatted(seconds, text));
  }

  /** Returns the seconds since the wait began. */
  long seconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
  }

  /** Ends the wait and erases the redrawn line, so that the next output replaces it. */
  void end() {
    line.clear();
  }
}
