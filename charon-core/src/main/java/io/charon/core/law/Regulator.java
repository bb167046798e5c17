/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/**
 * Says how much of one resource best-effort work may use, from what the foreground does. It decides
 * at every tick, whether or not anybody carries its decisions out, so that its window is full when
 * somebody does.
 */
public interface Regulator {
  /**
   * Takes one observation.
   *
   * @param observation what is seen now
   * @return the limit from now on, and why
   */
  Decision decide(Observation observation);
}
