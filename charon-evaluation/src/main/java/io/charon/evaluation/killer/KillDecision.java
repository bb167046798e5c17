/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/**
 * One kill of the kernel UA killer, as the killer recorded it. Times are CLOCK_MONOTONIC
 * nanoseconds, the clock of {@link System#nanoTime} on Linux.
 *
 * @param victimId number of the victim's cgroup
 * @param decisionNanos time of the decision
 * @param lastSignalNanos time after the last SIGKILL was sent; empty if none was recorded
 * @param victimBytes memory and swap of the victim at the decision
 * @param triggerId number of the cgroup that thrashed
 * @param series counter that showed the thrash: anonymous or file
 */
record KillDecision(
    long victimId,
    long decisionNanos,
    OptionalLong lastSignalNanos,
    long victimBytes,
    long triggerId,
    String series) {
  /** Reads one kill from the output of {@code ua-killer --json status}. */
  static KillDecision of(JsonNode kill) {
    long decided = kill.path("monotonicNanos").asLong();
    JsonNode lastSignal = kill.path("decisionToLastSignalMillis");
    return new KillDecision(
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
