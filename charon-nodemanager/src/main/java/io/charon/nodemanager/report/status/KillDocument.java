/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * A container that Charon or the kernel killed.
 *
 * @param time when the kill became known
 * @param containerId the victim
 * @param by the killer, such as kernel, user-space, memory-limit, evict-line, stop or linux-oom
 * @param reason the measured value and the threshold
 * @param thrash the readings of the kernel killer; absent for other killers
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KillDocument(
    String time, String containerId, String by, String reason, Thrash thrash) {
  /**
   * The reason and the outcome of a decision of the kernel killer.
   *
   * @param trigger why a container had to be killed
   * @param policy policy by which the victim was chosen
   * @param victimBytes the victim's memory including swap
   * @param execution how the kill was carried out
   * @param ranking candidates, best victim first
   * @param samples samples of the trigger, oldest first
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Thrash(
      @JsonUnwrapped Trigger trigger,
      String policy,
      long victimBytes,
      @JsonUnwrapped Execution execution,
      List<Candidate> ranking,
      List<Sample> samples) {}

  /**
   * The thrash that required a kill; written beside the other values of the decision.
   *
   * @param trigger the container or service that thrashed
   * @param series anonymous or file
   * @param seconds how long it had thrashed
   * @param cgthTimeSeconds how long thrashing is tolerated
   */
  public record Trigger(String trigger, String series, double seconds, double cgthTimeSeconds) {}

  /**
   * How a kill was carried out; written beside the other values of the decision.
   *
   * @param signals number of SIGKILLs sent
   * @param decisionToLastSignalMillis time to the last signal; absent if none was sent
   * @param decisionToFreedMillis time until all memory was released; absent without helper
   * @param decisionToGoneMillis time until the container was empty; absent without helper
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Execution(
      int signals,
      Double decisionToLastSignalMillis,
      Double decisionToFreedMillis,
      Double decisionToGoneMillis) {}

  /**
   * A candidate for a kill.
   *
   * @param container its id
   * @param memoryBytes memory that its kill frees
   * @param ageSeconds its execution time
   * @param score its score
   * @param rank bytes per second, or the score; the candidate with the highest rank is killed
   */
  public record Candidate(
      String container, long memoryBytes, double ageSeconds, int score, long rank) {}

  /**
   * One sample of a container under pressure.
   *
   * @param seconds time relative to the decision, negative
   * @param anonymousRefaults total refaults of anonymous pages
   * @param fileRefaults total refaults of file pages
   * @param memoryBytes its memory including swap
   * @param counted whether the node was under pressure, not only the container itself
   */
  public record Sample(
      double seconds,
      long anonymousRefaults,
      long fileRefaults,
      long memoryBytes,
      boolean counted) {}
}
