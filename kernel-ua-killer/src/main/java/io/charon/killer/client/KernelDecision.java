/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import io.charon.core.kill.VictimChoice;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One kill, as the kernel wrote it down. Containers are cgroup ids, times are nanoseconds of
 * CLOCK_MONOTONIC.
 *
 * @param sequence counts decisions since the killer was loaded, from 1
 * @param domain cgroup id of the domain's root
 * @param trigger the container that thrashed, or was owed memory
 * @param victim the container that died
 * @param series which thrash, or that it was owed memory
 * @param thrashNanos how long the trigger had thrashed, or been owed memory without progress
 * @param thrashingToleranceNanos cgth_time at that moment, or what is tolerated of the latter
 * @param policy what made the victim
 * @param victimBytes the victim's memory with swap
 * @param signals SIGKILLs sent
 * @param decisionNanos when
 * @param lastSignalNanos last SIGKILL sent, if any was yet
 * @param ranking candidates, best victim first; 16 at most
 * @param release how the memory came back, once it did and if a helper runs
 */
public record KernelDecision(
    long sequence,
    long domain,
    long trigger,
    long victim,
    Series series,
    long thrashNanos,
    long thrashingToleranceNanos,
    VictimChoice.Policy policy,
    long victimBytes,
    int signals,
    long decisionNanos,
    OptionalLong lastSignalNanos,
    List<Candidate> ranking,
    Optional<Release> release) {

  /** Copies the list. */
  public KernelDecision {
    ranking = List.copyOf(ranking);
  }

  /** Which pages came back again and again. */
  public enum Series {
    /** Anonymous pages, from swap. */
    ANONYMOUS,
    /** Pages of files. */
    FILE,
    /** None: it held less memory than it is entitled to, and found none free. */
    OWED
  }

  /**
   * A container that could have died.
   *
   * @param container cgroup id
   * @param freesBytes what its death frees: anonymous and shared memory with swap; where page cache
   *     is missing, also that which it refills
   * @param ageMillis its execution time
   * @param score its score
   * @param rank the highest dies: bytes per second, or the score
   */
  public record Candidate(long container, long freesBytes, long ageMillis, int score, long rank) {}

  /**
   * How a victim's memory came back.
   *
   * @param freedNanos memory of the last process released
   * @param goneNanos container empty
   */
  public record Release(long freedNanos, long goneNanos) {}
}
