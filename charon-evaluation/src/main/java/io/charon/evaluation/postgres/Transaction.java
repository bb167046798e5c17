/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.postgres;

/**
 * A transaction that the database has answered.
 *
 * @param endMicros the time at which it ended, microseconds since the epoch
 * @param latencyMicros time from the moment at which it was due to its end, microseconds
 */
public record Transaction(long endMicros, long latencyMicros) {
  private static final double MICROS_PER_MILLI = 1e3;

  /** Returns the time at which it was due, microseconds since the epoch. */
  public long dueMicros() {
    return endMicros - latencyMicros;
  }

  double latencyMillis() {
    return latencyMicros / MICROS_PER_MILLI;
  }
}
