/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.Locale;

/** What happens to the limit of best-effort work. */
public enum Change {
  /** It stays. */
  KEEP,
  /** It falls: what best-effort uses above it is taken back at once. */
  TIGHTEN,
  /** It rises: best-effort may use more. */
  WIDEN;

  /** What a limit's move from one amount to another is. */
  public static Change between(double before, double after) {
    if (after < before) {
      return TIGHTEN;
    }
    return after > before ? WIDEN : KEEP;
  }

  /** As the audit writes it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
