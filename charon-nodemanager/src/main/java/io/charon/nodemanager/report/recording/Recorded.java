/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.recording;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.charon.core.scheduler.JobPeaks;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.LearnedState;
import io.charon.core.scheduler.NodeMemory;
import java.util.List;
import java.util.Map;

/**
 * The inputs and decisions of the local scheduler, one per line of a recording. The decisions
 * depend on these inputs alone, so a replay with the same inputs decides the same.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "what")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Recorded.Begun.class, name = "begun"),
  @JsonSubTypes.Type(value = Recorded.Asked.class, name = "asked"),
  @JsonSubTypes.Type(value = Recorded.Adopted.class, name = "adopted"),
  @JsonSubTypes.Type(value = Recorded.Named.class, name = "named"),
  @JsonSubTypes.Type(value = Recorded.Ended.class, name = "ended"),
  @JsonSubTypes.Type(value = Recorded.Killed.class, name = "killed"),
  @JsonSubTypes.Type(value = Recorded.Observed.class, name = "observed"),
  @JsonSubTypes.Type(value = Recorded.Unobserved.class, name = "unobserved"),
  @JsonSubTypes.Type(value = Recorded.Bound.class, name = "bound"),
  @JsonSubTypes.Type(value = Recorded.Processors.class, name = "cores"),
  @JsonSubTypes.Type(value = Recorded.Held.class, name = "held"),
  @JsonSubTypes.Type(value = Recorded.Learned.class, name = "learned"),
  @JsonSubTypes.Type(value = Recorded.Lost.class, name = "lost"),
  @JsonSubTypes.Type(value = Recorded.SideBySide.class, name = "side-by-side"),
})
public sealed interface Recorded {
  /** The format version that is written and read. */
  int FORMAT = 1;

  /** Returns the time on the node's monotonic clock. */
  long nanos();

  /**
   * The beginning of a file; lines with the state at this moment follow.
   *
   * @param format format version of the file
   * @param time wall clock, ISO-8601
   * @param keys all keys of Charon on the node with their values
   */
  record Begun(long nanos, int format, String time, Map<String, String> keys) implements Recorded {}

  /**
   * A decision about a container, the first one or one that differs from the previous one.
   *
   * @param outcome the decision
   * @param reason the reason of the decision
   */
  record Asked(
      long nanos,
      LaunchRequest request,
      LaunchDecision.Outcome outcome,
      LaunchVerdict.Reason reason)
      implements Recorded {}

  /**
   * A running container whose launch was not decided here, or not since the file began.
   *
   * @param launchedNanos time of its launch here; absent if it was found running
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Adopted(long nanos, LaunchRequest request, Long launchedNanos) implements Recorded {}

  /** More details became known about the job of a waiting or running container. */
  record Named(long nanos, LaunchRequest request) implements Recorded {}

  /**
   * The end of a container that was running or waiting.
   *
   * @param peakBytes its highest working set, 0 if never measured
   * @param wallMillis wall clock, milliseconds since 1970
   * @param truncated whether it was killed before it finished; absent, and therefore false, in
   *     recordings of versions that learned from all peaks alike
   */
  record Ended(long nanos, String containerId, long peakBytes, long wallMillis, boolean truncated)
      implements Recorded {}

  /** A container was killed for memory. */
  record Killed(long nanos) implements Recorded {}

  /**
   * A reading of the node's memory.
   *
   * @param usedBytes working set of each best-effort container
   */
  record Observed(long nanos, NodeMemory memory, Map<String, Long> usedBytes) implements Recorded {}

  /** The node's memory could not be read. */
  record Unobserved(long nanos) implements Recorded {}

  /**
   * A change of the amount of memory that best-effort may hold.
   *
   * @param bytes the bound; absent for no bound
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Bound(long nanos, Long bytes) implements Recorded {}

  /**
   * The node's processors.
   *
   * @param count number of cores, at least 1
   * @param runnablePerCore mean number of threads that run or wait for a core, for each core; 0 if
   *     unknown, as in recordings of versions that did not read it
   */
  record Processors(long nanos, int count, double runnablePerCore) implements Recorded {
    /** Returns whether another reading found the same. */
    public boolean isAs(Processors other) {
      return count == other.count && runnablePerCore == other.runnablePerCore;
    }
  }

  /** Launches are held, or no longer held; the reason makes no difference to decisions. */
  record Held(long nanos, boolean hold) implements Recorded {}

  /**
   * What the scheduler got from elsewhere than from the recorded containers.
   *
   * @param marginShare the safety margin as a share of the node; null if it was not restored
   * @param restored whether they are this node's own; otherwise they come from other nodes
   */
  record Learned(
      long nanos, List<JobPeaks> peaks, Double marginShare, long wallMillis, boolean restored)
      implements Recorded {
    /** Returns the event of a scheduler that continues with what this node has learned before. */
    public static Learned restored(long nanos, LearnedState state, long wallMillis) {
      return new Learned(nanos, state.peaks(), state.marginOrNull(), wallMillis, true);
    }

    /** Returns what was restored. */
    public LearnedState state() {
      return LearnedState.of(peaks, marginShare);
    }
  }

  /**
   * Lines are missing here because they arrived faster than they could be written.
   *
   * @param lines number of missing lines
   */
  record Lost(long nanos, long lines) implements Recorded {}

  /**
   * The performance of production beside best-effort; no decision depends on it.
   *
   * @param wallMillis wall clock, milliseconds since 1970
   * @param seconds length of the interval that ends here
   * @param productionCores CPU time of production, seconds per second
   * @param bestEffortCores CPU time of best-effort, seconds per second
   * @param cyclesPerInstruction cycles per instruction of production; absent if they are not
   *     counted
   * @param pressure time in which some thread of production waited for a CPU, seconds per second;
   *     absent if it is not read
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record SideBySide(
      long nanos,
      long wallMillis,
      double seconds,
      double productionCores,
      double bestEffortCores,
      Double cyclesPerInstruction,
      Double pressure)
      implements Recorded {}
}
