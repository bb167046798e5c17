/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.util.Locale;

/** How much of a facility is there. */
public enum CheckStatus {
  /** Everything that Charon can use is there. */
  OK,
  /** Charon works, with less effect or comfort; the detail says which. */
  DEGRADED,
  /** The facility is not there; the part of Charon that needs it does not work. */
  MISSING;

  /**
   * The name in text and JSON.
   *
   * @return {@code ok}, {@code degraded} or {@code missing}
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
