/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The node at one instant of a round.
 *
 * @param nanos time of the sample, CLOCK_MONOTONIC
 * @param containers states by container name
 */
record RoundSample(long nanos, Map<String, State> containers) {
  /**
   * The state of one container.
   *
   * @param memory the kernel's statistics of the container
   * @param populated whether the container has processes
   */
  record State(MemoryStatistics memory, boolean populated) {}

  RoundSample {
    containers = Map.copyOf(containers);
  }

  /** Returns the sum of one number over all containers. */
  long sum(ToLongFunction<MemoryStatistics> number) {
    return containers.values().stream().mapToLong(one -> number.applyAsLong(one.memory())).sum();
  }
}
