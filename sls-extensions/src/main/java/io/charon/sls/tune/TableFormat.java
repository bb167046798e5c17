/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the user says about the columns; what is empty is found by the names of the columns.
 *
 * @param series column whose values tell the series of a file apart
 * @param time column of the time
 * @param timeUnit unit of a time that is a number
 * @param interval seconds between the rows of a series, for tables without time
 * @param value column of the foreground's usage
 * @param capacity a number in the unit of the value, a column, or {@code peak}: the highest value
 *     of each series
 * @param wide whether every column but that of the time is a series of its own
 * @param counter whether the values count up, so that their rate per second is the usage
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
  /** The capacity of a series is its highest value. */
  public static final String PEAK = "peak";
}
