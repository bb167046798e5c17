/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.Optional;

/**
 * Whether something works on this machine.
 *
 * @param missing why it does not work, with the cure; empty if it works
 */
public record Availability(Optional<String> missing) {
  /** Returns the availability of something that works. */
  public static Availability available() {
    return new Availability(Optional.empty());
  }

  /**
   * Returns the availability of something that does not work.
   *
   * @param reason why it does not work, with the cure
   */
  public static Availability missing(String reason) {
    return new Availability(Optional.of(reason));
  }

  /** Returns whether it works. */
  public boolean isAvailable() {
    return missing.isEmpty();
  }

  /** Returns the first of the two that is missing; the other one if this one is available. */
  public Availability and(Availability other) {
    return isAvailable() ? other : this;
  }
}
