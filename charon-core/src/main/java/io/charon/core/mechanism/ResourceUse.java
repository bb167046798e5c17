/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * The use of one resource by each side.
 *
 * @param foreground the use of the foreground
 * @param bestEffort the use of best-effort
 * @param capacity the total amount, in the same unit; for CPU the cores on which best-effort may
 *     run
 */
public record ResourceUse(Measurement foreground, Measurement bestEffort, Measurement capacity) {
  /**
   * Returns an instance in which nothing is known.
   *
   * @param reason why nothing is known
   */
  public static ResourceUse missing(String reason) {
    Measurement missing = Measurement.missing(reason);
    return new ResourceUse(missing, missing, missing);
  }
}
