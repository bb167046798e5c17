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
 * @param pressure seconds per second in which some thread of the foreground waited for a CPU,
 *     summed over its cgroups (PSI)
 * @param runQueueDelay seconds per second that threads of the foreground waited for a CPU, summed
 *     over all threads
 * @param instructionsPerCycle of the foreground
 * @param throttled seconds per second for which the CPU quota stopped best-effort, summed over CPUs
 */
public record NodeReading(
    long nanos,
    String foreground,
    ResourceUse memory,
    ResourceUse cpu,
    CoreUse cores,
    ResourceUse network,
    Measurement pressure,
    Measurement runQueueDelay,
    Measurement instructionsPerCycle,
    Measurement throttled)
    implements Reading {}
