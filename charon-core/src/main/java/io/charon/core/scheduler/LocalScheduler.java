/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The local scheduler of one node (Charon paper, section 4): production starts at once, best-effort
 * starts in the queue's order when the policy finds memory for it, waits otherwise, and is rejected
 * when too many wait. Every decision follows from the calls made before it and their arguments.
 */
public final class LocalScheduler {
  private final LaunchQueue queue;
  private final PeakProfile profile;
  private final LaunchPolicy policy;
  private final StartLimit starts;
  private final Map<String, RunningContainer> running = new LinkedHashMap<>();
  private final BestEffortBound bound = new BestEffortBound();
  private final Claims claims = new ClaimsOfNode();
  private double cores;
  private boolean held;
  private boolean stopped;

  /**
   * As {@link #LocalScheduler(LaunchQueue, PeakProfile, LaunchPolicy, StartLimit)}, where any
   * number of containers may start at a time.
   *
   * @param queue who waits
   * @param profile what jobs needed before
   * @param policy who may start
   */
  public LocalScheduler(LaunchQueue queue, PeakProfile profile, LaunchPolicy policy) {
    this(queue, profile, policy, StartLimit.NONE);
  }

  /**
   * Creates a scheduler for a node on which nothing runs yet.
   *
   * @param queue who waits
   * @param profile what jobs needed before
   * @param policy who may start
   * @param starts how many may start at a time; limits nothing before {@link #cores}
   */
  public LocalScheduler(
      LaunchQueue queue, PeakProfile profile, LaunchPolicy policy, StartLimit starts) {
    this.starts = Objects.requireNonNull(starts, "starts");
    this.queue = Objects.requireNonNull(queue, "queue");
    this.profile = Objects.requireNonNull(profile, "profile");
    this.policy = Objects.requireNonNull(policy, "policy");
  }

  /**
   * A container wants to start. Asking again for one that waits tries to start it; asking for one
   * that runs changes nothing. One that waited as best-effort and was promoted leaves the queue.
   *
   * @param request the container
   * @param nowNanos now, on the caller's monotonic clock
   * @return started, waiting or rejected
   */
  public LaunchDecision request(LaunchRequest request, long nowNanos) {
    String containerId = request.containerId();
    if (request.executionType() == ExecutionType.GUARANTEED) {
      queue.remove(containerId);
      return decided(request, LaunchDecision.Outcome.LAUNCHED, LaunchVerdict.Reason.GUARANTEED);
    }
    if (running.containsKey(containerId)) {
      return decided(request, LaunchDecision.Outcome.LAUNCHED, LaunchVerdict.Reason.FITS);
    }
    if (queue.isBehindAnother(request, claims, nowNanos)) {
      return queue.offer(request, nowNanos)
          ? decided(request, LaunchDecision.Outcome.QUEUED, LaunchVerdict.Reason.NOT_FIRST)
          : decided(request, LaunchDecision.Outcome.REJECTED, LaunchVerdict.Reason.QUEUE_FULL);
    }
    long expectedPeakBytes = expectedPeakBytes(request);
    LaunchVerdict verdict = judge(request, expectedPeakBytes, nowNanos);
    if (verdict.launch()) {
      queue.remove(containerId);
      start(request, expectedPeakBytes, nowNanos, false);
      return new LaunchDecision(containerId, LaunchDecision.Outcome.LAUNCHED, verdict);
    }
    // Only here does it take a place: one that starts at once needs none, however short the queue.
    return queue.offer(request, nowNanos)
        ? new LaunchDecision(containerId, LaunchDecision.Outcome.QUEUED, verdict)
        : decided(request, LaunchDecision.Outcome.REJECTED, LaunchVerdict.Reason.QUEUE_FULL);
  }

  /**
   * What would become of the first of the queue if it were asked for now; starts nothing.
   *
   * @param nowNanos now
   */
  public Optional<LaunchVerdict> judgeFirst(long nowNanos) {
    return queue
        .first(claims, nowNanos)
        .map(request -> judge(request, expectedPeakBytes(request), nowNanos));
  }

  /**
   * A best-effort container was found running, for example after the NodeManager restarted: it is
   * charged like a launched one and never gated. It does not count as starting.
   *
   * @param request the container
   * @param nowNanos now
   */
  public void adopt(LaunchRequest request, long nowNanos) {
    takeOver(request, nowNanos, true);
  }

  /**
   * Another scheduler launched a best-effort container, in whose place this one decides: as {@link
   * #adopt}, but it may still be starting.
   *
   * @param request the container
   * @param launchedNanos when, not after now
   */
  public void takeOver(LaunchRequest request, long launchedNanos) {
    takeOver(request, launchedNanos, false);
  }

  private void takeOver(LaunchRequest request, long nanos, boolean found) {
    queue.remove(request.containerId());
    if (!running.containsKey(request.containerId())) {
      start(request, expectedPeakBytes(request), nanos, found);
    }
  }

  /**
   * More is known of the job of a container that waits or runs. It keeps its place or its charge;
   * its peak will be remembered for that job. Others are ignored.
   *
   * @param request the same container with its job
   * @param nowNanos now
   */
  public void named(LaunchRequest request, long nowNanos) {
    String containerId = request.containerId();
    if (queue.contains(containerId)) {
      queue.offer(request, nowNanos);
    }
    policy.named(request);
    running.computeIfPresent(
        containerId,
        (id, before) ->
            new RunningContainer(
                request, before.expectedPeakBytes(), before.launchedNanos(), before.found()));
  }

  /**
   * As {@link #ended(String, long, long)}, where the age of a peak does not count.
   *
   * @param containerId the container
   * @param peakBytes its highest working set, 0 if it was never measured
   * @return how well its need was foreseen; empty if it did not run
   */
  public Optional<PeakEstimate> ended(String containerId, long peakBytes) {
    return ended(containerId, peakBytes, 0);
  }

  /**
   * As {@link #ended(String, long, long, boolean)}, for one that was not cut short.
   *
   * @param containerId the container
   * @param peakBytes its highest working set, 0 if it was never measured
   * @param wallMillis now: wall clock, milliseconds since 1970
   * @return how well its need was foreseen; empty if it did not run
   */
  public Optional<PeakEstimate> ended(String containerId, long peakBytes, long wallMillis) {
    return ended(containerId, peakBytes, wallMillis, false);
  }

  /**
   * A container finished, was killed or was lost, running or waiting. Its charge returns, and its
   * peak is remembered for its job; that of one that was cut short only as a lower bound. Unknown
   * ones are ignored.
   *
   * @param containerId the container
   * @param peakBytes its highest working set, 0 if it was never measured
   * @param wallMillis now: wall clock, because a peak outlives the process, milliseconds since 1970
   * @param truncated whether it was killed, or had to go for another reason, before it was done
   * @return how well its need was foreseen; empty if it did not run
   */
  public Optional<PeakEstimate> ended(
      String containerId, long peakBytes, long wallMillis, boolean truncated) {
    queue.remove(containerId);
    RunningContainer container = running.remove(containerId);
    if (container == null) {
      return Optional.empty();
    }
    policy.ended(containerId);
    LaunchRequest request = container.request();
    if (truncated) {
      profile.recordTruncated(request.job(), request.requestedBytes(), peakBytes, wallMillis);
    } else {
      profile.record(request.job(), request.requestedBytes(), peakBytes, wallMillis);
    }
    return Optional.of(new PeakEstimate(container.expectedPeakBytes(), Math.max(0, peakBytes)));
  }

  /**
   * A running container was killed for memory: launches wait (delayed launch). {@link #ended}
   * follows when it is gone.
   *
   * @param nowNanos now
   */
  public void killedForMemory(long nowNanos) {
    policy.killed(nowNanos);
  }

  /**
   * The node's memory was read.
   *
   * @param node the reading
   * @param usedBytes working set of each container
   * @param nowNanos now
   */
  public void observed(NodeMemory node, Map<String, Long> usedBytes, long nowNanos) {
    bound.observed(usedBytes);
    policy.observed(node, usedBytes, nowNanos);
  }

  /** The node's memory could not be read: best-effort launches stop until it can. */
  public void unobserved() {
    policy.unobserved();
  }

  /**
   * How much memory best-effort may hold altogether from now on, beside what the policy says. What
   * runs already is not touched.
   *
   * @param bytes at least 0; empty for no such bound
   */
  public void bound(OptionalLong bytes) {
    bound.limit(bytes);
  }

  /**
   * How many cores the node has from now on, which says how many containers may start at a time.
   *
   * @param count positive; not whole if others share them
   */
  public void cores(double count) {
    if (!(count > 0)) {
      throw new IllegalArgumentException("a node needs cores, got " + count);
    }
    cores = count;
  }

  /**
   * Whether no best-effort container starts from now on, because some are frozen for lack of memory
   * and need what becomes free.
   */
  public void hold(boolean hold) {
    held = hold;
  }

  /** Whether an operator stopped best-effort: no such container starts from now on. */
  public void stop(boolean stop) {
    stopped = stop;
  }

  /** The peaks of all jobs that were learned. */
  public List<JobPeaks> learnedPeaks() {
    return profile.learned();
  }

  /**
   * Takes over what an earlier scheduler of this node had learned.
   *
   * @param learned of {@link #learnedPeaks()}
   * @param wallMillis now, wall clock
   */
  public void restorePeaks(List<JobPeaks> learned, long wallMillis) {
    profile.restore(learned, wallMillis);
  }

  /**
   * Learns what containers of other nodes needed.
   *
   * @param others peaks that were measured elsewhere
   * @param wallMillis now, wall clock
   * @return how many jobs there were among them of which nothing was known
   */
  public int learnPeaks(List<JobPeaks> others, long wallMillis) {
    return profile.learn(others, wallMillis);
  }

  /** Best-effort containers that run, in launch order. */
  public List<RunningContainer> running() {
    return new ArrayList<>(running.values());
  }

  /**
   * Best-effort containers that wait, first to start first.
   *
   * @param nowNanos now
   */
  public List<LaunchRequest> waiting(long nowNanos) {
    return queue.waiting(claims, nowNanos);
  }

  /**
   * Best-effort containers that have waited for some time or longer, in order of arrival.
   *
   * @param time how long
   * @param nowNanos now
   */
  public List<LaunchRequest> waitingFor(Duration time, long nowNanos) {
    return queue.waitingFor(time.toNanos(), nowNanos);
  }

  /** How many best-effort containers wait. */
  public int waitingCount() {
    return queue.size();
  }

  /** Whether any container waits. */
  public boolean anyWaiting() {
    return !queue.isEmpty();
  }

  /**
   * Who gives its place to a newcomer if the queue is full; changes nothing.
   *
   * @param newcomer would be rejected otherwise
   * @return the container to reject in its place; empty if none
   */
  public Optional<LaunchRequest> givesWay(LaunchRequest newcomer) {
    return queue.givesWay(newcomer);
  }

  /** Whether a full queue may take a newcomer nevertheless. */
  public boolean givesWay() {
    return queue.givesWay();
  }

  /** What a launch may need now, bytes; for people to read. */
  public long launchableBytes() {
    return held || stopped ? 0 : policy.launchableBytes();
  }

  /** Until when launches are delayed after a kill; not after {@code nowNanos} if they are not. */
  public long delayedUntilNanos(long nowNanos) {
    return policy.delayedUntilNanos(nowNanos);
  }

  private LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    if (stopped) {
      return new LaunchVerdict(false, LaunchVerdict.Reason.STOPPED, expectedPeakBytes, 0);
    }
    if (held) {
      return new LaunchVerdict(false, LaunchVerdict.Reason.PAUSED, expectedPeakBytes, 0);
    }
    LaunchVerdict verdict = policy.judge(request, expectedPeakBytes, nowNanos);
    if (!verdict.launch()) {
      return verdict;
    }
    // Last, so that whoever waits for memory is told so.
    return bound
        .refusal(expectedPeakBytes, running.values())
        .orElseGet(
            () ->
                startsReached(nowNanos)
                    ? verdict.refused(LaunchVerdict.Reason.STARTING_LIMIT)
                    : verdict);
  }

  private boolean startsReached(long nowNanos) {
    return starts.isReached(running.values(), cores, nowNanos);
  }

  /**
   * What a container is expected to need. While no best-effort container runs, its request is
   * enough: a learned peak above all that the node has would shut its job out for good, because no
   * further container could correct it (ours).
   */
  private long expectedPeakBytes(LaunchRequest request) {
    long learnedBytes = profile.expectedPeakBytes(request.job(), request.requestedBytes());
    return running.isEmpty() ? Math.min(learnedBytes, request.requestedBytes()) : learnedBytes;
  }

  private void start(
      LaunchRequest request, long expectedPeakBytes, long launchedNanos, boolean found) {
    running.put(
        request.containerId(),
        new RunningContainer(request, expectedPeakBytes, launchedNanos, found));
    policy.launched(request, expectedPeakBytes, launchedNanos);
  }

  private LaunchDecision decided(
      LaunchRequest request, LaunchDecision.Outcome outcome, LaunchVerdict.Reason reason) {
    return new LaunchDecision(
        request.containerId(),
        outcome,
        new LaunchVerdict(
            outcome == LaunchDecision.Outcome.LAUNCHED,
            reason,
            request.requestedBytes(),
            policy.launchableBytes()));
  }

  private final class ClaimsOfNode implements Claims {
    @Override
    public long heldBytes(Function<Owner, String> account, String value) {
      return running.values().stream()
          .filter(container -> account.apply(container.request().owner()).equals(value))
          .mapToLong(RunningContainer::expectedPeakBytes)
          .sum();
    }

    @Override
    public long expectedBytes(LaunchRequest request) {
      return expectedPeakBytes(request);
    }
  }
}
