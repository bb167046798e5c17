/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.reclaim;

import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Reading;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The containers from which cold memory may be reclaimed.
 *
 * @param containers in any order
 * @param swapBytes all swap of the machine, not negative
 * @param freeSwapBytes the free part of it, not negative
 * @param lastKill the last kill on this node
 */
public record ReclaimableContainers(
    List<Container> containers, long swapBytes, long freeSwapBytes, LastKill lastKill)
    implements Reading {
  /**
   * The state of one container.
   *
   * @param id YARN's container id
   * @param production whether it is production; otherwise it is best-effort
   * @param bytes its memory, page cache included
   * @param cleanBytes the part of it that is page cache which could be dropped at once
   * @param anonymousBytes the part of it that is anonymous, without locked memory
   * @param refaultedBytes memory that was evicted and came back, since the container was created; 0
   *     if the kernel does not report it
   * @param takenBytes memory that Charon reclaimed from it, since Charon first saw it
   * @param waitedPercent percent of the time that some process of it waited for memory or for a
   *     disk, the largest of the averages over 10 and 60 seconds; empty if the kernel does not
   *     report it, or does not report refaults: waiting alone does not tell what it still needs
   */
  public record Container(
      String id,
      boolean production,
      long bytes,
      long cleanBytes,
      long anonymousBytes,
      long refaultedBytes,
      long takenBytes,
      OptionalDouble waitedPercent) {}

  /** Copies the list. */
  public ReclaimableContainers {
    containers = List.copyOf(containers);
  }
}
