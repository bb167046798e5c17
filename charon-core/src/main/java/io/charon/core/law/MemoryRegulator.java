/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.time.Duration;

/**
 * Regulates memory by {@link ReserveLaw}. Observed is the working set of the foreground with what
 * it has in swap, in bytes; the limit is the bytes that best-effort may hold (Scavenger, section
 * 4.2).
 */
public final class MemoryRegulator implements Regulator {
  private final ReserveLaw law;

  /**
   * A regulator that has seen nothing yet.
   *
   * @param settings how the range is learned
   */
  public MemoryRegulator(RangeSettings settings) {
    this.law = new ReserveLaw(settings);
  }

  /** The paper's: w = 60 s, c = 2 (Scavenger, section 6.1). */
  public static RangeSettings defaults() {
    return new RangeSettings(Duration.ofSeconds(60), 2);
  }

  @Override
  public Decision decide(Observation observation) {
    return law.decide(observation);
  }
}
