/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/**
 * One kill of the kernel UA killer, from its own record. Times are CLOCK_MONOTONIC nanoseconds,
 * which is what {@link System#nanoTime} counts on Linux.
 *
 * @param victimId number of the victim's cgroup
 * @param decisionNanos when it was decided
 * @param lastSignalNanos when the last SIGKILL had been sent; empty if none has been recorded
 * @param victimBytes memory and swap of the victim at that time
 * @param triggerId number of the cgroup that thrashed
 * @param series which of its counters did: anonymous or file
 */
record Decision(
    long victimId,
    long decisionNanos,
    OptionalLong lastSignalNanos,
    long victimBytes,
    long triggerId,
    String series) {
  /** Reads one kill from the output of {@code ua-killer --json status}. */
  static Decision of(JsonNode kill) {
    long decided = kill.path("monotonicNanos").asLong();
    JsonNode lastSignal = kill.path("decisionToLastSignalMillis");
    return new Decision(
        kill.path("victimId").asLong(),
        decided,
        lastSignal.isNumber()
            ? OptionalLong.of(decided + Math.round(lastSignal.asDouble() * 1e6))
            : OptionalLong.empty(),
        kill.path("memoryBytes").asLong(),
        kill.path("triggerId").asLong(),
        kill.path("series").asText());
  }
}
