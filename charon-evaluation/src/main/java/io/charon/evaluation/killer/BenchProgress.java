/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.io.PrintWriter;
import java.time.Duration;

/** Prints the progress of a benchmark: steps at most every 5 seconds, other lines always. */
public final class BenchProgress {
  private static final long BETWEEN_LINES = Duration.ofSeconds(5).toNanos();

  private final PrintWriter out;
  private final long start = System.nanoTime();
  private long last = start;

  /**
   * Starts the clock.
   *
   * @param out receives the lines
   */
  public BenchProgress(PrintWriter out) {
    this.out = out;
  }

  /** Prints a line unconditionally. */
  public void print(String line) {
    out.println(line);
    out.flush();
  }

  /**
   * Prints a line, unless another one was printed within the last 5 seconds.
   *
   * @param done steps completed, at least 1
   * @param all total number of steps
   */
  public void step(int done, int all, String what) {
    long now = System.nanoTime();
    if (now - last < BETWEEN_LINES) {
      return;
    }
    last = now;
    print(
        String.format(
            "%4.0f s  %d of %d, about %.0f s left  %s",
            seconds(), done, all, seconds() / done * (all - done), what));
  }

  /** Returns the seconds since this object was created. */
  public double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }
}
