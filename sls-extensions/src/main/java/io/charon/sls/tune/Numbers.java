/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import java.util.Locale;

/** Formats numbers without superfluous digits. */
public final class Numbers {
  private Numbers() {}

  /** Returns a number of seconds as text, such as 60 s or 0.5 s. */
  public static String seconds(double seconds) {
    return text(seconds) + " s";
  }

  /** Returns a number as text without trailing zeros. */
  public static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.format(Locale.ROOT, "%.0f", value)
        : Double.toString(value);
  }
}
