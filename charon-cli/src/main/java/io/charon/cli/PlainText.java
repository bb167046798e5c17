/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.util.Locale;

/**
 * Text that is safe to print on a terminal: names of jobs and queues are chosen by the users who
 * submit them.
 */
public final class PlainText {
  private PlainText() {}

  /**
   * Replaces control characters and invisible formatting characters, which could rewrite the
   * screen, by their code.
   */
  public static String escape(String untrusted) {
    StringBuilder safe = new StringBuilder(untrusted.length());
    untrusted
        .codePoints()
        .forEach(
            point -> {
              if (isSafe(point)) {
                safe.appendCodePoint(point);
              } else {
                safe.append("\\u{").append(Integer.toHexString(point)).append('}');
              }
            });
    return safe.toString();
  }

  private static boolean isSafe(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  /** Formats a number of bytes in MiB or, from 1 GiB on, in GiB with two decimals. */
  public static String bytes(long bytes) {
    double mebibytes = bytes / (double) (1L << 20);
    return Math.abs(mebibytes) < 1024
        ? String.format(Locale.ROOT, "%.0f MiB", mebibytes)
        : String.format(Locale.ROOT, "%.2f GiB", mebibytes / 1024);
  }
}
