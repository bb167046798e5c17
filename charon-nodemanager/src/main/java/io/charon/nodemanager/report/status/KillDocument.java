/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * A container that was killed for memory.
 *
 * @param time when it became known
 * @param containerId the victim
 * @param by kernel, user-space, regulator, memory-limit, pause, stop or linux-oom
 * @param reason the measured value and the threshold
 * @param thrash what the kernel killer saw; absent for others
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KillDocument(
    String time, String containerId, String by, String reason, Thrash thrash) {
  /**
   * Why the kernel killer decided, and what came of it.
   *
   * @param trigger the container or service that thrashed
   * @param series anonymous or file
   * @param seconds how long it had thrashed
   * @param cgthTimeSeconds how long is tolerated
   * @param policy what made the victim
   * @param victimBytes its memory with swap
   * @param signals SIGKILLs sent
   * @param decisionToLastSignalMillis absent while none was sent
   * @param decisionToFreedMillis until all memory was released; absent without helper
   * @param decisionToGoneMillis until the container was empty; absent without helper
   * @param ranking candidates, best victim first
   * @param samples of the trigger, oldest first
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Thrash(
      String trigger,
      String series,
      double seconds,
      double cgthTimeSeconds,
      String policy,
      long victimBytes,
      int signals,
      Double decisionToLastSignalMillis,
      Double decisionToFreedMillis,
      Double decisionToGoneMillis,
      List<Candidate> ranking,
      List<Sample> samples) {}

  /**
   * A container that could have died.
   *
   * @param container its id
   * @param memoryBytes what its death frees
   * @param ageSeconds its execution time
   * @param score its score
   * @param rank the highest dies: bytes per second, or the score
   */
  public record Candidate(
      String container, long memoryBytes, double ageSeconds, int score, long rank) {}

  /**
   * One sample of a container under pressure.
   *
   * @param seconds before the decision, negative
   * @param anonymousRefaults so far, pages
   * @param fileRefaults so far, pages
   * @param memoryBytes its memory with swap
   * @param counted whether the node was under pressure, not only the container itself
   */
  public record Sample(
      double seconds,
      long anonymousRefaults,
      long fileRefaults,
      long memoryBytes,
      boolean counted) {}
}
