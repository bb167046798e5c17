/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.io.IOException;

/** The utilization of a resource while it is measured. */
interface Utilization {
  /** Takes a sample; called repeatedly during the measurement. */
  default void sample() throws IOException {}

  /** Returns the mean share since the start, 0 to 1. */
  double share() throws IOException, InterruptedException;
}
