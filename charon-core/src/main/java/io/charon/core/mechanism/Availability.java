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
 * @param missing why it does not, with the cure; empty if it does
 */
public record Availability(Optional<String> missing) {
  /** It works. */
  public static Availability available() {
    return new Availability(Optional.empty());
  }

  /**
   * It does not work.
   *
   * @param reason why, with the cure
   */
  public static Availability missing(String reason) {
    return new Availability(Optional.of(reason));
  }

  /** Whether it works. */
  public boolean isAvailable() {
    return missing.isEmpty();
  }

  /** The first of two that is missing. */
  public Availability and(Availability other) {
    return isAvailable() ? other : this;
  }
}
