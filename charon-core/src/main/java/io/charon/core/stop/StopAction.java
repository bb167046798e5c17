/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.stop;

import java.util.Locale;

/** What a stop does to the running best-effort containers, from mildest to harshest. */
public enum StopAction {
  /** There is no stop. */
  NONE,
  /** They continue to run. */
  LEAVE,
  /** They are frozen until best-effort is resumed. */
  FREEZE,
  /** They are killed, and their applications may request others. */
  KILL;

  /** Returns the name as users write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
