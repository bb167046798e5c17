/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.util.OptionalDouble;

/**
 * Makes a rate of a counter that only rises, such as the bytes of a network interface. The counters
 * of Linux have 64 bits and do not wrap; one that falls was reset, because its device or cgroup is
 * a new one, and what it counted before is unknown.
 */
public final class CounterRate {
  private static final double NANOS_PER_SECOND = 1e9;

  private boolean read;
  private long readNanos;
  private double count;

  /**
   * The rate since the reading before.
   *
   * @param nanos when, on a clock that may start anywhere
   * @param value the counter
   * @return per second; empty at the first reading, after a reset, and if no time has passed
   */
  public OptionalDouble read(long nanos, double value) {
    long elapsed = nanos - readNanos;
    double risen = value - count;
    boolean known = read && elapsed > 0 && risen >= 0;
    read = true;
    readNanos = nanos;
    count = value;
    return known ? OptionalDouble.of(risen / (elapsed / NANOS_PER_SECOND)) : OptionalDouble.empty();
  }
}
