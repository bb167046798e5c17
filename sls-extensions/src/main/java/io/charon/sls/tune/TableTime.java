/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import io.charon.sls.trace.CsvRow.BadField;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Parses times of tables: a number with a unit, or date and time in UTC. */
public final class TableTime {
  /** 126 years, so that the difference of two such times fits into a long. */
  private static final double MAX_NANOS = 4e18;

  private TableTime() {}

  /**
   * Returns nanoseconds since the origin of the numbers, for dates since 1970.
   *
   * @throws BadField if the text is neither a number nor a date, or is out of range
   */
  public static long nanos(String text, TimeUnitOfTable unit) throws BadField {
    try {
      return inRange(Double.parseDouble(text) * unit.nanos(), text);
    } catch (NumberFormatException e) {
      return ofDate(text);
    }
  }

  private static long ofDate(String text) throws BadField {
    try {
      LocalDateTime time = LocalDateTime.parse(text.replace(' ', 'T'));
      Duration since1970 = Duration.between(Instant.EPOCH, time.toInstant(ZoneOffset.UTC));
      return inRange((double) since1970.toNanos(), text);
    } catch (DateTimeException | ArithmeticException e) {
      throw new BadField(
          "time \"%s\" is neither a number nor a date such as 2004-11-19 09:30:00".formatted(text),
          e);
    }
  }

  private static long inRange(double nanos, String text) throws BadField {
    if (Math.abs(nanos) <= MAX_NANOS) {
      return Math.round(nanos);
    }
    throw new BadField("time \"%s\" is out of range: check --time-unit".formatted(text));
  }
}
