/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The numbers of a workload file. Jackson's own conversions cut off the digits of an integer that
 * is too large and the fraction of a number that is not an integer; here both are refused.
 */
final class WorkloadNumbers {
  /** Longest time, 126 years: the sum of two of them in nanoseconds is still a long. */
  static final long LONGEST_MILLIS = 4_000_000_000_000L;

  private static final int LONGEST_QUOTE = 64;

  private WorkloadNumbers() {}

  /**
   * Returns a field of an object.
   *
   * @throws IllegalArgumentException if it is missing or not such a number; the message names field
   *     and value
   */
  static int intOf(JsonNode object, String name) {
    JsonNode value = object.required(name);
    if (!value.isInt()) {
      throw notAnInteger(name, value, Integer.MAX_VALUE);
    }
    return value.intValue();
  }

  /**
   * Returns a field of an object.
   *
   * @throws IllegalArgumentException if it is missing or not such a number; the message names field
   *     and value
   */
  static long longOf(JsonNode object, String name) {
    return longOf(name, object.required(name));
  }

  /**
   * Returns a field of an object, a time in milliseconds.
   *
   * @throws IllegalArgumentException if it is missing, not such a number or too long; the message
   *     names field and value
   */
  static long millisOf(JsonNode object, String name) {
    long millis = longOf(object, name);
    if (millis > LONGEST_MILLIS) {
      throw notAnInteger(name, object.get(name), LONGEST_MILLIS);
    }
    return millis;
  }

  /**
   * Returns a number.
   *
   * @param what name of the number, for the message
   * @throws IllegalArgumentException if it is not such a number; the message names it
   */
  static long longOf(String what, JsonNode value) {
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw notAnInteger(what, value, Long.MAX_VALUE);
    }
    return value.longValue();
  }

  /**
   * Returns a field of an object.
   *
   * @throws IllegalArgumentException if it is missing or not such a number; the message names field
   *     and value
   */
  static double doubleOf(JsonNode object, String name) {
    return doubleOf(name, object.required(name));
  }

  /**
   * Returns a number.
   *
   * @param what name of the number, for the message
   * @throws IllegalArgumentException if it is not such a number; the message names it
   */
  static double doubleOf(String what, JsonNode value) {
    if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
      throw new IllegalArgumentException("%s is %s, not a number".formatted(what, quote(value)));
    }
    return value.doubleValue();
  }

  private static IllegalArgumentException notAnInteger(String what, JsonNode value, long largest) {
    return new IllegalArgumentException(
        "%s is %s, not an integer of at most %d".formatted(what, quote(value), largest));
  }

  private static String quote(JsonNode value) {
    String text = value.toString();
    return text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) + "..." : text;
  }
}
