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
 * Tells that something takes a while: one line that is redrawn on a terminal, else a line every few
 * seconds. What is quick is not worth a line.
 */
public final class Waiting {
  private static final long FIRST_SECONDS = 2;
  private static final long SECONDS_BETWEEN_LINES = 5;

  private final LiveLine line;
  private final boolean terminal;
  private final long startNanos = System.nanoTime();
  private long nextSecond = FIRST_SECONDS;

  /**
   * Begins to wait.
   *
   * @param terminal whether {@code out} is a terminal, on which a line can be redrawn
   */
  public Waiting(PrintWriter out, boolean terminal) {
    this.line = new LiveLine(out, terminal);
    this.terminal = terminal;
  }

  /** Says how it goes, if it is time to. */
  void update(String text) {
    long seconds = seconds();
    if (seconds < nextSecond) {
      return;
    }
    nextSecond = seconds + (terminal ? 1 : SECONDS_BETWEEN_LINES);
    line.show("%4d s  %s".formatted(seconds, text));
  }

  /** Seconds since the wait began. */
  long seconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
  }

  /** It is over: the next line takes the place of what was redrawn. */
  void end() {
    line.clear();
  }
}
