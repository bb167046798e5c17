/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A value that was read, or why it could not be.
 *
 * @param value not negative
 * @param missing why there is no value; empty if there is one
 */
public record Measurement(OptionalDouble value, Optional<String> missing) {

  /** A value that was read; a negative one, from readings of different instants, counts as 0. */
  public static Measurement of(double value) {
    return new Measurement(OptionalDouble.of(Math.max(0, value)), Optional.empty());
  }

  /** A number of bytes that was read. */
  public static Measurement ofBytes(long bytes) {
    return of((double) bytes);
  }

  /**
   * No value.
   *
   * @param reason why, naming the file where there is one
   */
  public static Measurement missing(String reason) {
    return new Measurement(OptionalDouble.empty(), Optional.of(reason));
  }

  /** Whether there is a value. */
  public boolean isPresent() {
    return value.isPresent();
  }

  /** This one less another, at least 0; missing if either is. */
  public Measurement minus(Measurement other) {
    if (value.isEmpty()) {
      return this;
    }
    return other.value.isEmpty() ? other : of(value.getAsDouble() - other.value.getAsDouble());
  }
}
