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
 * @param decisionNanos the time of the decision
 * @param trigger why a container had to be killed
 * @param victim the container that was killed, and why this one
 * @param execution how the kill was carried out
 */
public record KernelDecision(
    long sequence,
    long domain,
    long decisionNanos,
    Trigger trigger,
    Victim victim,
    Execution execution) {

  /**
   * The container that thrashed, or was owed memory.
   *
   * @param container cgroup id
   * @param series the kind of thrash, or that it was owed memory
   * @param nanos how long it had thrashed, or been owed memory without progress
   * @param toleranceNanos the tolerance at that moment: cgth_time, or that for owed memory
   */
  public record Trigger(long container, Series series, long nanos, long toleranceNanos) {}

  /**
   * The container that was killed.
   *
   * @param container cgroup id
   * @param memoryBytes its memory, including swap
   * @param policy the policy that selected it
   * @param ranking candidates, best victim first; 16 at most
   */
  public record Victim(
      long container, long memoryBytes, VictimChoice.Policy policy, List<Candidate> ranking) {
    /** Copies the list. */
    public Victim {
      ranking = List.copyOf(ranking);
    }
  }

  /**
   * How a kill was carried out.
   *
   * @param signals number of SIGKILLs sent
   * @param lastSignalNanos the time of the last SIGKILL, if one was sent yet
   * @param release the release of the memory, once it happened and if a helper runs
   */
  public record Execution(int signals, OptionalLong lastSignalNanos, Optional<Release> release) {}

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
