/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.Locale;

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

  /** Returns the name as written to the audit log. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
