/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.util.OptionalDouble;

/**
 * The input of a controller at one instant.
 *
 * @param nanos the time, on a clock with an arbitrary origin
 * @param value the foreground's use in bytes or bytes per second, or a signal of its health; not
 *     negative; empty if it could not be measured
 * @param capacity the total amount of the controlled resource, in the unit of the limit; not
 *     negative
 */
public record Observation(long nanos, OptionalDouble value, double capacity) {

  /** The largest value: bytes are counted in a long; squares of larger values would overflow. */
  public static final double LARGEST = Long.MAX_VALUE;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is negative, above 2^63 or not a number
   */
  public Observation {
    if (value.isPresent()) {
      require("value", value.getAsDouble());
    }
    require("capacity", capacity);
  }

  private static void require(String name, double number) {
    if (!(number >= 0 && number <= LARGEST)) {
      throw new IllegalArgumentException(name + " must be 0 to 2^63, was " + number);
    }
  }
}
