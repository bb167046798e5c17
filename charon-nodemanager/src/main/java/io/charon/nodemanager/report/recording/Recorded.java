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
import io.charon.core.scheduler.NodeMemory;
import java.util.List;
import java.util.Map;

/**
 * What the local scheduler was told, and what it decided; a line of a recording each. Its decisions
 * follow from these alone, so whoever tells another scheduler the same hears the same.
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
  @JsonSubTypes.Type(value = Recorded.Cores.class, name = "cores"),
  @JsonSubTypes.Type(value = Recorded.Held.class, name = "held"),
  @JsonSubTypes.Type(value = Recorded.Learned.class, name = "learned"),
  @JsonSubTypes.Type(value = Recorded.Lost.class, name = "lost"),
  @JsonSubTypes.Type(value = Recorded.SideBySide.class, name = "side-by-side"),
})
public sealed interface Recorded {
  /** The format that this version writes and reads. */
  int FORMAT = 1;

  /** When, on the node's monotonic clock. */
  long nanos();

  /**
   * A file begins; what is known at this moment follows.
   *
   * @param format of the file
   * @param time wall clock, ISO-8601
   * @param keys all keys of Charon on the node, with their values
   */
  record Begun(long nanos, int format, String time, Map<String, String> keys) implements Recorded {}

  /**
   * A container was decided about, for the first time or with another result than before.
   *
   * @param outcome what became of it
   * @param reason why
   */
  record Asked(
      long nanos,
      LaunchRequest request,
      LaunchDecision.Outcome outcome,
      LaunchVerdict.Reason reason)
      implements Recorded {}

  /**
   * A container runs that was not decided about here, or not since the file began.
   *
   * @param launchedNanos when it was launched here; absent where it was found running
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Adopted(long nanos, LaunchRequest request, Long launchedNanos) implements Recorded {}

  /** More is known of the job of a container that waits or runs. */
  record Named(long nanos, LaunchRequest request) implements Recorded {}

  /**
   * A container ended, whether it ran or waited.
   *
   * @param peakBytes its highest working set, 0 if never measured
   * @param wallMillis wall clock, milliseconds since 1970
   * @param truncated whether it was killed before it was done; absent, and so false, in recordings
   *     of nodes that learned from all peaks alike
   */
  record Ended(long nanos, String containerId, long peakBytes, long wallMillis, boolean truncated)
      implements Recorded {}

  /** A container was killed for memory. */
  record Killed(long nanos) implements Recorded {}

  /**
   * The node's memory was read.
   *
   * @param usedBytes working set of each best-effort container
   */
  record Observed(long nanos, NodeMemory memory, Map<String, Long> usedBytes) implements Recorded {}

  /** The node's memory could not be read. */
  record Unobserved(long nanos) implements Recorded {}

  /**
   * How much memory best-effort may hold changed.
   *
   * @param bytes absent for no bound
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Bound(long nanos, Long bytes) implements Recorded {}

  /**
   * How many cores the node has.
   *
   * @param count at least 1
   */
  record Cores(long nanos, int count) implements Recorded {}

  /** Launches are held, or not any more. */
  record Held(long nanos, boolean hold) implements Recorded {}

  /**
   * Peaks came from elsewhere.
   *
   * @param restored whether they were this node's own
   */
  record Learned(long nanos, List<JobPeaks> peaks, long wallMillis, boolean restored)
      implements Recorded {}

  /**
   * Lines are missing here, because they came faster than they could be written.
   *
   * @param lines how many
   */
  record Lost(long nanos, long lines) implements Recorded {}

  /**
   * How production did beside best-effort; no decision follows from it.
   *
   * @param wallMillis wall clock, milliseconds since 1970
   * @param seconds how long the interval was that ends here
   * @param productionCores CPU seconds per second
   * @param bestEffortCores the same of best-effort
   * @param cyclesPerInstruction of production; absent where nothing counts them
   * @param pressure seconds per second in which some thread of production waited for a CPU; absent
   *     where it is not read
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
