/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.regex.Pattern;

/**
 * What stays of an application's name from one run to the next (ours). Names are chosen by users:
 * what is not printable becomes a space, and what is long is cut.
 */
final class NamePattern {
  /** Characters that count. */
  private static final int LONGEST = 200;

  /** Characters that are looked at: a date at the end of a long name should not be lost. */
  private static final int MAX_READ = 4 * LONGEST;

  private static final Pattern NOT_PRINTABLE = Pattern.compile("[\\p{C}\\s]+");

  /** UUIDs, and words of eight or more hexadecimal digits of which at least one is a number. */
  private static final Pattern IDENTIFIER =
      Pattern.compile(
          "(?i)\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b"
              + "|\\b(?=[a-f]*[0-9])[0-9a-f]{8,}\\b");

  /** Numbers, with one of what dates, times and versions have between them. */
  private static final Pattern NUMBERS = Pattern.compile("[0-9#]+([-_:./T ][0-9#]+)*");

  private NamePattern() {}

  /** A name in which each number, date and identifier is one {@code #}. */
  static String of(String name) {
    String identified = IDENTIFIER.matcher(printable(name)).replaceAll("#");
    return cut(NUMBERS.matcher(identified).replaceAll("#"), LONGEST);
  }

  /** A text as it is, but printable and not long. */
  static String shortened(String text) {
    return cut(printable(text), LONGEST);
  }

  private static String printable(String text) {
    return NOT_PRINTABLE.matcher(cut(text, MAX_READ)).replaceAll(" ").strip();
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest);
  }
}
