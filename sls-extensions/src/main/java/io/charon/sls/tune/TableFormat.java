/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The columns of a table as the user named them; an empty one is found by its usual names.
 *
 * @param series column whose values distinguish the series of a file
 * @param time column of the time
 * @param timeUnit unit of a numeric time
 * @param interval seconds between the rows of a series, for tables without time
 * @param value column of the foreground's usage
 * @param capacity a number in the unit of the value, a column, or {@code peak}: the highest value
 *     of each series
 * @param wide whether every column except the time is a series of its own
 * @param counter whether the values are counters, so that their rate per second is the usage
 */
public record TableFormat(
    Optional<String> series,
    Optional<String> time,
    Optional<TimeUnitOfTable> timeUnit,
    OptionalDouble interval,
    Optional<String> value,
    Optional<String> capacity,
    boolean wide,
    boolean counter) {
  /** Stands for a capacity that is the highest value of the series. */
  public static final String PEAK = "peak";
}
