/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The direction in which the limit on best-effort changes. */
public enum Change {
  /** The limit stays. */
  KEEP,
  /** The limit falls: anything that best-effort uses above it is reclaimed at once. */
  TIGHTEN,
  /** The limit rises: best-effort may use more. */
  WIDEN;

  /** Returns the direction of a change from one amount to another. */
  public static Change between(double before, double after) {
    if (after < before) {
      return TIGHTEN;
    }
    return after > before ? WIDEN : KEEP;
  }

  /**
   * Returns the direction of a change of several amounts at once: if one of them falls, it is a
   * tightening.
   *
   * @param before the amounts by what they limit; what is missing has no limit
   * @param after the amounts from now on, likewise
   */
  public static <K> Change between(
      Map<K, ? extends Number> before, Map<K, ? extends Number> after) {
    Set<K> limited = new HashSet<>(before.keySet());
    limited.addAll(after.keySet());
    Set<Change> changes = EnumSet.noneOf(Change.class);
    limited.forEach(key -> changes.add(between(amount(before.get(key)), amount(after.get(key)))));
    if (changes.contains(TIGHTEN)) {
      return TIGHTEN;
    }
    return changes.contains(WIDEN) ? WIDEN : KEEP;
  }

  private static double amount(Number limit) {
    return limit == null ? Double.POSITIVE_INFINITY : limit.doubleValue();
  }

  /** Returns the name as written to the audit log. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
