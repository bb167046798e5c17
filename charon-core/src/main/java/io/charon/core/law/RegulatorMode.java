/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/** Whether a controller runs and whether its decisions are carried out. */
public enum RegulatorMode {
  /** It does not run. */
  OFF,
  /** It decides at every tick, and nothing is carried out. */
  OBSERVE,
  /** It decides at every tick, and its decisions are carried out. */
  ENFORCE
}
