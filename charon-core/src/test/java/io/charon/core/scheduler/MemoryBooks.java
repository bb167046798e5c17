/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The node's memory, accounted for independently of {@link MemorySnapshot}: nothing is kept up to
 * date, every question is answered from the last reading and the containers that ran then and run
 * now.
 */
final class MemoryBooks {
  private record Held(long expectedPeakBytes, OptionalLong usedAtReading) {
    long yetToGrowBytes() {
      return Math.max(0, expectedPeakBytes - usedAtReading.orElse(0));
    }
  }

  private final Map<String, Held> running = new LinkedHashMap<>();
  private OptionalLong reading = OptionalLong.empty();
  private long givenBackBytes;

  void read(long availableBytes, Map<String, Long> usedBytes) {
    reading = OptionalLong.of(availableBytes);
    givenBackBytes = 0;
    running.replaceAll(
        (id, held) ->
            new Held(
                held.expectedPeakBytes(),
                OptionalLong.of(usedBytes.getOrDefault(id, held.usedAtReading().orElse(0)))));
  }

  void lost() {
    reading = OptionalLong.empty();
  }

  boolean known() {
    return reading.isPresent();
  }

  void started(String containerId, long expectedPeakBytes) {
    running.put(containerId, new Held(expectedPeakBytes, OptionalLong.empty()));
  }

  void ended(String containerId) {
    Held held = running.remove(containerId);
    if (held != null) {
      givenBackBytes += held.usedAtReading().orElse(0);
    }
  }

  boolean nobodyRuns() {
    return running.isEmpty();
  }

  boolean runs(String containerId) {
    return running.containsKey(containerId);
  }

  /** Returns the reading plus released memory, less the expected growth of running containers. */
  long availableBytes() {
    return reading.orElse(0)
        + givenBackBytes
        - running.values().stream().mapToLong(Held::yetToGrowBytes).sum();
  }
}
