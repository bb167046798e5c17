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
 * One kill, as recorded by the kernel. Containers are cgroup ids, times are nanoseconds of
 * CLOCK_MONOTONIC.
 *
 * @param sequence the number of the decision since the killer was loaded, from 1
 * @param domain cgroup id of the domain's root
 * @param trigger the container that thrashed, or was owed memory
 * @param victim the container that was killed
 * @param series the kind of thrash, or that the trigger was owed memory
 * @param thrashNanos how long the trigger had thrashed, or been owed memory without progress
 * @param thrashingToleranceNanos the tolerance at that moment: cgth_time, or that for owed memory
 * @param policy the policy that selected the victim
 * @param victimBytes the victim's memory, including swap
 * @param signals number of SIGKILLs sent
 * @param decisionNanos the time of the decision
 * @param lastSignalNanos the time of the last SIGKILL, if one was sent yet
 * @param ranking candidates, best victim first; 16 at most
 * @param release the release of the memory, once it happened and if a helper runs
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

  /** The pages that were refaulted repeatedly. */
  public enum Series {
    /** Anonymous pages, from swap. */
    ANONYMOUS,
    /** Pages of files. */
    FILE,
    /** None: the container held less memory than its entitlement, and found no free memory. */
    OWED
  }

  /**
   * A container that could have been killed.
   *
   * @param container cgroup id
   * @param freesBytes the memory that a kill releases: anonymous and shared memory with swap; if
   *     page cache thrashes, also the page cache that the container keeps refilling
   * @param ageMillis its execution time
   * @param score its score
   * @param rank the container with the highest rank is killed: bytes per second, or the score
   */
  public record Candidate(long container, long freesBytes, long ageMillis, int score, long rank) {}

  /**
   * The release of a victim's memory.
   *
   * @param freedNanos when the last process had released its memory
   * @param goneNanos when the container was empty
   */
  public record Release(long freedNanos, long goneNanos) {}
}
