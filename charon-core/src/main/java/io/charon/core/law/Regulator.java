/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/**
 * Decides how much of one resource best-effort may use, from the behavior of the foreground. It
 * decides at every tick, even if its decisions are not carried out, so that its window is full when
 * they are.
 */
public interface Regulator {
  /**
   * Decides on the limit from one observation.
   *
   * @param observation the current observation
   * @return the limit from now on, and the cause
   */
  Decision decide(Observation observation);
}
