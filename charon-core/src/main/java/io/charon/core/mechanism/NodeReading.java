/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * A node at one instant: what all regulators see in a tick. Rates are those since the snapshot
 * before.
 *
 * @param nanos when, on a clock that may start anywhere
 * @param foreground who is protected, in words
 * @param memory what both sides hold or have in swap, page cache not counted, bytes
 * @param cpu cores used
 * @param cores which cores there are, how busy each is, and who is pinned to them
 * @param network what is sent, bytes per second
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
