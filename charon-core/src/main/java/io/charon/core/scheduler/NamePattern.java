/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.regex.Pattern;

/**
 * Extracts the part of an application's name that stays the same from one run to the next. Users
 * choose the names: characters that are not printable become a space, and long names are cut. Our
 * choice.
 */
final class NamePattern {
  /** Maximum length of a pattern, in characters. */
  private static final int LONGEST = 200;

  /** Maximum number of characters read: a date at the end of a long name should not be lost. */
  private static final int MAX_READ = 4 * LONGEST;

  private static final Pattern NOT_PRINTABLE = Pattern.compile("[\\p{C}\\s]+");

  /** UUIDs, and words of eight or more hexadecimal digits, at least one of them 0 to 9. */
  private static final Pattern IDENTIFIER =
      Pattern.compile(
          "(?i)\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b"
              + "|\\b(?=[a-f]*[0-9])[0-9a-f]{8,}\\b");

  /** Numbers, joined by single separators as in dates, times and versions. */
  private static final Pattern NUMBERS = Pattern.compile("[0-9#]+([-_:./T ][0-9#]+)*");

  private NamePattern() {}

  /** Returns the name with each number, date and identifier replaced by {@code #}. */
  static String of(String name) {
    String identified = IDENTIFIER.matcher(printable(name)).replaceAll("#");
    return cut(NUMBERS.matcher(identified).replaceAll("#"), LONGEST);
  }

  /** Returns the text without unprintable characters, and cut to the maximum length. */
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
