/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** The share of the link that best-effort may use. */
public enum NetworkLimit {
  /** The bandwidth left by the foreground's learned reserve (Scavenger, section 4.3). */
  RESERVE,
  /** The bandwidth that the foreground's packets leave at the moment (our choice). */
  GIVE_WAY
}
