/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * Who uses how much of one resource.
 *
 * @param foreground what the foreground uses
 * @param bestEffort what best-effort uses
 * @param capacity what there is, in the same unit; for CPU the cores that best-effort may run on
 */
public record ResourceUse(Measurement foreground, Measurement bestEffort, Measurement capacity) {
  /**
   * Nothing is known.
   *
   * @param reason why
   */
  public static ResourceUse missing(String reason) {
    Measurement missing = Measurement.missing(reason);
    return new ResourceUse(missing, missing, missing);
  }
}
