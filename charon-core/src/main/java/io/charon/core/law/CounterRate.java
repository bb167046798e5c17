/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.util.OptionalDouble;

/**
 * Computes the rate of a counter that only rises, such as the bytes of a network interface.
 * Counters of Linux have 64 bits and do not wrap; a counter that falls was reset, because its
 * device or cgroup is new, and its increase is unknown.
 */
public final class CounterRate {
  private static final double NANOS_PER_SECOND = 1e9;

  private boolean read;
  private long readNanos;
  private double count;

  /**
   * Returns the rate since the previous reading.
   *
   * @param nanos the time, on a clock with an arbitrary origin
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
