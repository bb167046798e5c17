/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import java.time.Instant;

/**
 * The clock that both a JVM and a shell script can read without starting a process: the time of day
 * in microseconds. If the clock is set, its distance from the monotonic clock changes.
 */
final class LaunchClock {
  private static final int READINGS = 5;
  private static final long STEP_NANOS = 200_000;

  /** Expression by which a script of bash 5 reads the clock. */
  static final String IN_SCRIPT = "$EPOCHREALTIME";

  private LaunchClock() {}

  /** Returns the current time in microseconds since 1970. */
  static long micros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  /**
   * Parses the time that a script read.
   *
   * @param text seconds, a point or in some locales a comma, and six digits of microseconds
   * @return microseconds since 1970
   * @throws IllegalArgumentException if the text has another format
   */
  static long parse(String text) {
    if (!text.matches("\\d{1,12}[.,]\\d{6}")) {
      throw new IllegalArgumentException("not a time: '" + text + "'");
    }
    return Long.parseLong(text.replaceAll("[.,]", ""));
  }

  /**
   * Returns the distance of the time of day from the monotonic clock, by the fastest of several
   * readings.
   */
  static long offsetNanos() {
    long offset = 0;
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < READINGS; i++) {
      long before = System.nanoTime();
      long day = micros() * 1000;
      long took = System.nanoTime() - before;
      if (took < shortest) {
        shortest = took;
        offset = day - before;
      }
    }
    return offset;
  }

  /**
   * Returns whether the clock has not been set.
   *
   * @param offsetNanos earlier result of {@link #offsetNanos()}
   */
  static boolean isSteadySince(long offsetNanos) {
    return Math.abs(offsetNanos() - offsetNanos) < STEP_NANOS;
  }
}
