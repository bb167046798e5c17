/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.replay;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * What a node did, and what it would have done with other settings. As JSON it is one flat object
 * with the two sides and the list of differences inside.
 *
 * @param recording what was recorded
 * @param recorded what was done
 * @param replayed what would have been done
 * @param shifts containers that would have started at other times
 */
public record ReplayResult(
    @JsonUnwrapped Recording recording,
    Side recorded,
    Side replayed,
    @JsonUnwrapped Shifts shifts) {
  /**
   * What was recorded.
   *
   * @param seconds duration of the recording
   * @param readings number of samples of the node's memory in it
   * @param kills number of kills for memory in it; a replay cannot change them
   * @param lostLines number of lines that the recording lacks
   */
  public record Recording(double seconds, long readings, long kills, long lostLines) {}

  /**
   * Containers that would have started at other times.
   *
   * @param earlier number of containers that would have started earlier
   * @param earlierSeconds by how much, in total
   * @param later number of containers that would have started later
   * @param laterSeconds by how much, in total
   * @param notStarted number of containers that ran and would not have started before their end
   * @param differences the first of these containers
   */
  public record Shifts(
      long earlier,
      double earlierSeconds,
      long later,
      double laterSeconds,
      long notStarted,
      List<Difference> differences) {
    /** Copies the list. */
    public Shifts {
      differences = List.copyOf(differences);
    }
  }

  /**
   * One side of the comparison.
   *
   * @param launched number of best-effort containers launched
   * @param waitSeconds time from their first request to their launch, in total
   * @param readingsWithoutMemory number of samples at which no memory was left beyond the reserve
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
   * @param containerId YARN's container id
   * @param recordedSeconds when it started, since the recording began; null if it did not
   * @param replayedSeconds when it would have started; null if not before its end
   */
  public record Difference(String containerId, Double recordedSeconds, Double replayedSeconds) {}
}
