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
 * The containers of which cold memory may be taken.
 *
 * @param containers in any order
 * @param swapBytes all swap of the machine, not negative
 * @param freeSwapBytes what of it is free, not negative
 * @param lastKill when somebody was last killed on this node
 */
public record ReclaimableContainers(
    List<Container> containers, long swapBytes, long freeSwapBytes, LastKill lastKill)
    implements Reading {
  /**
   * What is known of one.
   *
   * @param id YARN's container id
   * @param production whether it is production; else best-effort
   * @param bytes that it holds, page cache included
   * @param cleanBytes page cache of that that could be dropped at once
   * @param anonymousBytes of that, locked memory not counted
   * @param refaultedBytes that came back to it since it was made, after they had been taken
   * @param takenBytes that were taken from it by Charon, since Charon saw it first
   * @param waitedPercent of its time that some process of it waited for memory or for a disk, the
   *     most of the means of 10 and of 60 seconds; empty where the kernel does not say
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
