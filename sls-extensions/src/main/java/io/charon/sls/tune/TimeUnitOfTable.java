/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import java.util.Locale;
import java.util.Map;

/** Units of numeric times. */
public enum TimeUnitOfTable {
  /** Nanoseconds. */
  NS(1),
  /** Microseconds. */
  US(1e3),
  /** Milliseconds. */
  MS(1e6),
  /** Seconds. */
  S(1e9),
  /** Minutes. */
  MIN(60e9);

  private static final Map<String, TimeUnitOfTable> ENDINGS =
      Map.of("ns", NS, "us", US, "ms", MS, "millis", MS, "min", MIN, "minute", MIN, "minutes", MIN);

  private final double nanos;

  TimeUnitOfTable(double nanos) {
    this.nanos = nanos;
  }

  /**
   * Returns the unit with which the name of a column ends, such as {@code t_ms}; otherwise seconds.
   */
  public static TimeUnitOfTable of(String column) {
    String name = column.toLowerCase(Locale.ROOT);
    return ENDINGS.getOrDefault(name.substring(name.lastIndexOf('_') + 1), S);
  }

  double nanos() {
    return nanos;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
