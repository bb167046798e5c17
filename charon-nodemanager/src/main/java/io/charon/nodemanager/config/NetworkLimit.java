/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** How much of the link best-effort may have. */
public enum NetworkLimit {
  /** What the foreground's learned reserve leaves (Scavenger, section 4.3). */
  RESERVE,
  /** What the foreground's packets leave at the moment (ours). */
  GIVE_WAY
}
