/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/** Predicts the maximum use of production; resources above it can be promised to best-effort. */
public interface UsePredictor {
  /** Adds the next sample of the machine; intervals increase and may have gaps. */
  void add(UseSample sample);

  /**
   * Returns the share of the containers' total reservation to keep for production until the next
   * sample, 0 to 1. It is a share because a node knows a new container's reservation before it
   * observes any use of the container. The result is 1 before the first sample.
   */
  double keptShare();
}
