/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * The state of a node at one instant, as all controllers see it in a tick. Rates are averages since
 * the previous snapshot.
 *
 * @param nanos the time, on a clock with an arbitrary origin
 * @param foreground a description of the protected containers or processes
 * @param memory the memory of each side, including swap and without page cache, in bytes
 * @param cpu the cores used
 * @param cores the cores of the node, their utilization, and those to which the foreground is
 *     pinned
 * @param network the outgoing traffic, in bytes per second
 * @param health how the foreground fares on its CPUs
 * @param throttled seconds per second for which the CPU quota stopped best-effort, summed over CPUs
 */
public record NodeReading(
    long nanos,
    String foreground,
    ResourceUse memory,
    ResourceUse cpu,
    CoreUse cores,
    ResourceUse network,
    Health health,
    Measurement throttled)
    implements Reading {

  /**
   * Signals of the foreground's health, of which a node reads the one in use.
   *
   * @param pressure seconds per second in which some thread waited for a CPU, summed over the
   *     foreground's cgroups (PSI)
   * @param runQueueDelay seconds per second that threads waited for a CPU, summed over all threads
   * @param instructionsPerCycle instructions that a cycle retired
   */
  public record Health(
      Measurement pressure, Measurement runQueueDelay, Measurement instructionsPerCycle) {}
}
