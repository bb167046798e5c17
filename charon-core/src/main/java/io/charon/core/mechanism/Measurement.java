/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A measured value, or the reason why it could not be read.
 *
 * @param value not negative
 * @param missing why there is no value; empty if there is one
 */
public record Measurement(OptionalDouble value, Optional<String> missing) {

  /**
   * Returns a measured value. A negative value, which readings of different instants can yield, is
   * replaced by 0.
   */
  public static Measurement of(double value) {
    return new Measurement(OptionalDouble.of(Math.max(0, value)), Optional.empty());
  }

  /** Returns a measured number of bytes. */
  public static Measurement ofBytes(long bytes) {
    return of((double) bytes);
  }

  /**
   * Returns a measurement without a value.
   *
   * @param reason why there is no value, with the name of the file if there is one
   */
  public static Measurement missing(String reason) {
    return new Measurement(OptionalDouble.empty(), Optional.of(reason));
  }

  /** Returns whether there is a value. */
  public boolean isPresent() {
    return value.isPresent();
  }

  /** Returns this value less another one, at least 0. The result is missing if either one is. */
  public Measurement minus(Measurement other) {
    if (value.isEmpty()) {
      return this;
    }
    return other.value.isEmpty() ? other : of(value.getAsDouble() - other.value.getAsDouble());
  }
}
