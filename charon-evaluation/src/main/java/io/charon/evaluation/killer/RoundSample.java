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
 * @param nanos CLOCK_MONOTONIC
 * @param containers by name
 */
record RoundSample(long nanos, Map<String, State> containers) {
  /**
   * One container.
   *
   * @param memory what the kernel says of it
   * @param populated whether it has processes
   */
  record State(MemoryStatistics memory, boolean populated) {}

  RoundSample {
    containers = Map.copyOf(containers);
  }

  /** One number, summed over all containers. */
  long sum(ToLongFunction<MemoryStatistics> number) {
    return containers.values().stream().mapToLong(one -> number.applyAsLong(one.memory())).sum();
  }
}
