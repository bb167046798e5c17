/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import java.time.Instant;

/**
 * The clock that a JVM and a shell script can both read without starting anything: the time of day,
 * in microseconds. Somebody may set it, which its distance from the monotonic clock tells.
 */
final class LaunchClock {
  private static final int READINGS = 5;
  private static final long STEP_NANOS = 200_000;

  /** What a script of bash 5 reads. */
  static final String IN_SCRIPT = "$EPOCHREALTIME";

  private LaunchClock() {}

  /** Now, microseconds since 1970. */
  static long micros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  /**
   * What a script read.
   *
   * @param text seconds, a point or, in some languages, a comma, and microseconds
   * @throws IllegalArgumentException if it is something else
   */
  static long parse(String text) {
    if (!text.matches("\\d{1,12}[.,]\\d{6}")) {
      throw new IllegalArgumentException("no time: '" + text + "'");
    }
    return Long.parseLong(text.replaceAll("[.,]", ""));
  }

  /** How far the time of day is from the monotonic clock, by the shortest of some looks. */
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
   * Whether nobody has set the clock.
   *
   * @param offsetNanos as it was
   */
  static boolean isSteadySince(long offsetNanos) {
    return Math.abs(offsetNanos() - offsetNanos) < STEP_NANOS;
  }
}
