/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.time.Duration;

/**
 * Regulates network bandwidth by {@link ReserveLaw}. Observed is the traffic of the foreground in
 * one direction, in bytes per second; the limit is the bytes per second that best-effort may send
 * (Scavenger, section 4.3).
 */
public final class NetworkRegulator implements Regulator {
  private final ReserveLaw law;

  /**
   * A regulator that has seen nothing yet.
   *
   * @param settings how the range is learned
   */
  public NetworkRegulator(RangeSettings settings) {
    this.law = new ReserveLaw(settings);
  }

  /** The paper's: w = 30 s, c = 2 (Scavenger, section 6.1). */
  public static RangeSettings defaults() {
    return new RangeSettings(Duration.ofSeconds(30), 2);
  }

  @Override
  public Decision decide(Observation observation) {
    return law.decide(observation);
  }
}
