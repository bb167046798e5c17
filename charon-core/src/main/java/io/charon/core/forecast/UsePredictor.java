/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/** Says how much production will use at most; what is above that may be promised to best-effort. */
public interface UsePredictor {
  /** Takes the next sample of the machine; intervals rise, and may be left out. */
  void add(UseSample sample);

  /**
   * What is kept for production until the next sample, as a share of what its containers have
   * reserved together, 0 to 1. A share, because a node knows of a new container's reservation
   * before it sees the container use anything. 1 before the first sample.
   */
  double keptShare();
}
