/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.time.Duration;

/**
 * Controls network bandwidth by {@link ReserveLaw}. The observed value is the foreground's traffic
 * in one direction, in bytes per second; the limit is the number of bytes per second that
 * best-effort may send (Scavenger, section 4.3).
 */
public final class NetworkRegulator implements Regulator {
  private final ReserveLaw law;

  /**
   * Creates a controller without observations.
   *
   * @param settings how the range is learned
   */
  public NetworkRegulator(RangeSettings settings) {
    this.law = new ReserveLaw(settings);
  }

  /** Returns the settings of the paper: w = 30 s, c = 2 (Scavenger, section 6.1). */
  public static RangeSettings defaults() {
    return new RangeSettings(Duration.ofSeconds(30), 2);
  }

  @Override
  public Decision decide(Observation observation) {
    return law.decide(observation);
  }
}
