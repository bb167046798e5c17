/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers in tables and JSON, where one that was not measured must not look like 0. */
public final class ReportNumbers {
  private ReportNumbers() {}

  /** Formats a number for a table; "-" if it was not measured. */
  public static String number(String format, OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
  }

  /** Sets a field; null if the number was not measured. */
  public static void put(ObjectNode node, String field, OptionalDouble value) {
    node.put(field, value.isPresent() ? Double.valueOf(value.getAsDouble()) : null);
  }

  /** Sets a field to a number rounded to three decimals; null if it was not measured. */
  public static void putRounded(ObjectNode node, String field, OptionalDouble value) {
    boolean measured = Double.isFinite(value.orElse(Double.NaN));
    node.put(field, measured ? Double.valueOf(rounded(value.getAsDouble())) : null);
  }

  /** Rounds to three decimals, which is finer than anything that is measured here. */
  public static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
