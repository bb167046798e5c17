/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.replay;

import java.util.List;

/**
 * What a node did, and what it would have done with other settings.
 *
 * @param seconds how long the recording is
 * @param readings of the node's memory in it
 * @param kills for memory in it; a replay cannot change them
 * @param lostLines lines that the recording lacks
 * @param recorded what was done
 * @param replayed what would have been done
 * @param earlier containers that would have started earlier
 * @param earlierSeconds by how much, altogether
 * @param later containers that would have started later
 * @param laterSeconds by how much, altogether
 * @param notStarted containers that ran and would not have started before their end
 * @param differences the first of them
 */
public record ReplayResult(
    double seconds,
    long readings,
    long kills,
    long lostLines,
    Side recorded,
    Side replayed,
    long earlier,
    double earlierSeconds,
    long later,
    double laterSeconds,
    long notStarted,
    List<Difference> differences) {
  /** Copies the list. */
  public ReplayResult {
    differences = List.copyOf(differences);
  }

  /**
   * One side of the comparison.
   *
   * @param launched best-effort containers
   * @param waitSeconds from their first request to their launch, altogether
   * @param readingsWithoutMemory readings at which nothing was left beyond what is kept free
   * @param bestEffortGibibyteSeconds memory that best-effort used, over time
   */
  public record Side(
      long launched,
      double waitSeconds,
      long readingsWithoutMemory,
      double bestEffortGibibyteSeconds) {}

  /**
   * A container that would have started at another time.
   *
   * @param containerId YARN's
   * @param recordedSeconds when it started, since the recording began
   * @param replayedSeconds when it would have started; null for not before its end
   */
  public record Difference(String containerId, Double recordedSeconds, Double replayedSeconds) {}
}
