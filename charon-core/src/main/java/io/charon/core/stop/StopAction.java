/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.stop;

import java.util.Locale;

/** What a stop does to the best-effort containers that run; the later one is the harsher. */
public enum StopAction {
  /** There is no stop. */
  NONE,
  /** They run on. */
  LEAVE,
  /** They stand still until best-effort is resumed. */
  FREEZE,
  /** They end, and their applications may ask for others. */
  KILL;

  /** Its name as people write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
