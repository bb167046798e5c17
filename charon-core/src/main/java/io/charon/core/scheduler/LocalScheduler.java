/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The local scheduler of one node (Charon paper, section 4). Production starts at once. Best-effort
 * starts in the queue's order when the policy finds memory for it, waits otherwise, and is rejected
 * when too many containers wait. Decisions depend only on the calls so far and their arguments;
 * times are nanoseconds of any monotonic clock, unless stated otherwise.
 */
public final class LocalScheduler {
  private final LaunchQueue queue;
  private final PeakProfile profile;
  private final LaunchPolicy policy;
  private final ProcessorRoom processors;
  private final RunningClaims running = new RunningClaims(this::expectedPeakBytes);
  private final BestEffortBound bound = new BestEffortBound();
  private final Set<LaunchVerdict.Reason> holds = EnumSet.noneOf(LaunchVerdict.Reason.class);

  /** Creates a scheduler for a node on which nothing runs yet, without limits by processors. */
  public LocalScheduler(LaunchQueue queue, PeakProfile profile, LaunchPolicy policy) {
    this(queue, profile, policy, ProcessorLimits.NONE);
  }

  /**
   * Creates a scheduler for a node on which nothing runs yet.
   *
   * @param queue the waiting containers
   * @param profile the earlier needs of jobs
   * @param policy decides whether a container may start
   * @param processors the limits of launches by processors
   */
  public LocalScheduler(
      LaunchQueue queue, PeakProfile profile, LaunchPolicy policy, ProcessorLimits processors) {
    this.processors = new ProcessorRoom(processors);
    this.queue = Objects.requireNonNull(queue, "queue");
    this.profile = Objects.requireNonNull(profile, "profile");
    this.policy = Objects.requireNonNull(policy, "policy");
  }

  /**
   * Handles a container that asks to start. A repeated request for a waiting container tries again
   * to start it; one for a running container changes nothing. A waiting container that was promoted
   * leaves the queue.
   *
   * @param request the container
   * @param nowNanos the current time, on the caller's monotonic clock
   * @return started, waiting or rejected
   */
  public LaunchDecision request(LaunchRequest request, long nowNanos) {
    String containerId = request.containerId();
    if (request.executionType() == ExecutionType.GUARANTEED) {
      queue.remove(containerId);
      return decided(request, LaunchDecision.Outcome.LAUNCHED, LaunchVerdict.Reason.GUARANTEED);
    }
    if (running.get(containerId) != null) {
      return decided(request, LaunchDecision.Outcome.LAUNCHED, LaunchVerdict.Reason.FITS);
    }
    if (queue.isBehindAnother(request, this::couldEverFit, running, nowNanos)) {
      return queue.offer(request, nowNanos)
          ? decided(request, LaunchDecision.Outcome.QUEUED, LaunchVerdict.Reason.NOT_FIRST)
          : decided(request, LaunchDecision.Outcome.REJECTED, LaunchVerdict.Reason.QUEUE_FULL);
    }
    return startOrQueue(request, nowNanos);
  }

  /**
   * Starts the first container of the queue if there is memory for it.
   *
   * @param nowNanos the current time
   * @return started or still waiting; empty if none waits
   */
  public Optional<LaunchDecision> startFirst(long nowNanos) {
    return queue
        .first(this::couldEverFit, running, nowNanos)
        .map(first -> startOrQueue(first, nowNanos));
  }

  private LaunchDecision startOrQueue(LaunchRequest request, long nowNanos) {
    String containerId = request.containerId();
    long expectedPeakBytes = expectedPeakBytes(request);
    LaunchVerdict verdict = judge(request, expectedPeakBytes, nowNanos);
    if (verdict.launch()) {
      queue.remove(containerId);
      start(request, expectedPeakBytes, nowNanos, false);
      return new LaunchDecision(containerId, LaunchDecision.Outcome.LAUNCHED, verdict);
    }
    // A container takes a place only here: one that starts at once needs none.
    return queue.offer(request, nowNanos)
        ? new LaunchDecision(containerId, LaunchDecision.Outcome.QUEUED, verdict)
        : decided(request, LaunchDecision.Outcome.REJECTED, LaunchVerdict.Reason.QUEUE_FULL);
  }

  /** Returns the verdict on the first container of the queue at this time; starts nothing. */
  public Optional<LaunchVerdict> judgeFirst(long nowNanos) {
    return queue
        .first(this::couldEverFit, running, nowNanos)
        .map(request -> judge(request, expectedPeakBytes(request), nowNanos));
  }

  /**
   * Records a best-effort container that was found running, for example after the NodeManager
   * restarted. It is charged like a launched one and never delayed. It does not count as starting.
   */
  public void adopt(LaunchRequest request, long nowNanos) {
    takeOver(request, nowNanos, true);
  }

  /**
   * Records a best-effort container that another scheduler, which this one replaces, has launched:
   * as {@link #adopt}, but it may still be starting.
   *
   * @param request the container
   * @param launchedNanos the time of the launch, not in the future
   */
  public void takeOver(LaunchRequest request, long launchedNanos) {
    takeOver(request, launchedNanos, false);
  }

  private void takeOver(LaunchRequest request, long nanos, boolean found) {
    queue.remove(request.containerId());
    if (running.get(request.containerId()) == null) {
      start(request, expectedPeakBytes(request), nanos, found);
    }
  }

  /**
   * Records more information about the job of a waiting or running container. It keeps its place or
   * its charge; its peak will be recorded for that job. Unknown containers are ignored.
   *
   * @param request the same container with its job
   * @param nowNanos the current time
   */
  public void jobKnown(LaunchRequest request, long nowNanos) {
    String containerId = request.containerId();
    if (queue.contains(containerId)) {
      queue.offer(request, nowNanos);
    }
    policy.jobKnown(request);
    RunningContainer before = running.get(containerId);
    if (before != null) {
      running.put(
          new RunningContainer(
              request, before.expectedPeakBytes(), before.launchedNanos(), before.found()));
    }
  }

  /** Records an end that was not cut short, where the age of peaks is irrelevant. */
  public Optional<PeakEstimate> ended(String containerId, long peakBytes) {
    return ended(containerId, peakBytes, 0, false);
  }

  /**
   * Records that a running or waiting container finished, was killed or was lost. Its charge is
   * released, and its peak is recorded for its job; the peak of a container that was cut short is
   * only a lower bound. Unknown containers are ignored.
   *
   * @param containerId the container
   * @param peakBytes its highest working set, 0 if it was never measured
   * @param wallMillis the wall-clock time, milliseconds since 1970, because peaks outlive the
   *     process
   * @param truncated whether it was killed, or otherwise cut short, before it was done
   * @return the expected and the measured peak; empty if it did not run
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
    if (!truncated) {
      profile.record(request.job(), request.requestedBytes(), peakBytes, wallMillis);
    } else if (peakBytes > policy.expectedNeedBytes(request, expectedPeakBytes(request))) {
      profile.recordTruncated(request.job(), request.requestedBytes(), peakBytes, wallMillis);
    }
    return Optional.of(new PeakEstimate(container.expectedPeakBytes(), Math.max(0, peakBytes)));
  }

  /** Returns whether a running container has stopped growing; false if that cannot be told. */
  public boolean hasSettled(String containerId) {
    return policy.hasSettled(containerId);
  }

  /**
   * Records that a running container was killed for memory, which delays launches; {@link #ended}
   * follows once it has exited.
   *
   * @param nowNanos the current time
   */
  public void killedForMemory(long nowNanos) {
    policy.killed(nowNanos);
  }

  /**
   * Records a reading of the node's memory.
   *
   * @param node the reading
   * @param usedBytes working set of each measured container; used until the next one, not copied
   * @param nowNanos the current time
   */
  public void observed(NodeMemory node, Map<String, Long> usedBytes, long nowNanos) {
    bound.observed(usedBytes, running.containers());
    if (!holds.isEmpty()) {
      policy.standStill(nowNanos);
    }
    policy.observed(node, usedBytes, nowNanos);
  }

  /** Records that the node's memory could not be read: best-effort starts only once it can be. */
  public void unobserved() {
    policy.unobserved();
  }

  /**
   * Sets a bound on the memory of best-effort as a whole, in addition to the policy. Running
   * containers are not affected.
   *
   * @param bytes at least 0; empty for no bound
   */
  public void bound(OptionalLong bytes) {
    bound.limit(bytes);
  }

  /** Returns what the node's processors allow, which the caller keeps up to date. */
  public ProcessorRoom processors() {
    return processors;
  }

  /**
   * Sets whether launches are held for a reason, in addition to other reasons. While they are,
   * running containers stand still.
   *
   * @param reason STOPPED or FROZEN
   */
  public void hold(LaunchVerdict.Reason reason, boolean hold) {
    var unused = hold ? holds.add(reason) : holds.remove(reason);
  }

  /** Returns the reasons for which launches are held. */
  public Set<LaunchVerdict.Reason> holds() {
    return Set.copyOf(holds);
  }

  /** Returns what this scheduler has learned. */
  public LearnedState learned() {
    return new LearnedState(profile.learned(), policy.marginShare());
  }

  /**
   * Restores what an earlier scheduler of this node has learned.
   *
   * @param learned of {@link #learned()}
   * @param wallMillis the current wall-clock time
   */
  public void restore(LearnedState learned, long wallMillis) {
    profile.restore(learned.peaks(), wallMillis);
    learned.marginShare().ifPresent(policy::restoreMargin);
  }

  /**
   * Adds peaks of containers on other nodes.
   *
   * @param others peaks that were measured elsewhere
   * @param wallMillis the current wall-clock time
   * @return the number of jobs among them that were unknown before
   */
  public int learnPeaks(List<JobPeaks> others, long wallMillis) {
    return profile.learn(others, wallMillis);
  }

  /** Returns the running best-effort containers in launch order. */
  public List<RunningContainer> running() {
    return new ArrayList<>(running.containers());
  }

  /** Returns the waiting best-effort containers in the order of the queue. */
  public List<LaunchRequest> waiting(long nowNanos) {
    return queue.waiting(running, nowNanos);
  }

  /** Returns the same in the order in which to ask for starts: those that cannot fit come last. */
  public List<LaunchRequest> startOrder(long nowNanos) {
    return queue.startOrder(this::couldEverFit, running, nowNanos);
  }

  /** Returns the containers that have waited for at least this time, in order of arrival. */
  public List<LaunchRequest> waitingFor(Duration time, long nowNanos) {
    return queue.waitingFor(time.toNanos(), nowNanos);
  }

  /** Returns the number of waiting containers. */
  public int waitingCount() {
    return queue.size();
  }

  /**
   * Returns the container that would lose its place to a new one in a full queue; changes nothing.
   *
   * @param newContainer the new container, which would be rejected otherwise
   * @return the container to reject instead; empty if there is none
   */
  public Optional<LaunchRequest> displacedBy(LaunchRequest newContainer) {
    return queue.displacedBy(newContainer);
  }

  /** Returns whether a full queue may accept a new container in exchange for a waiting one. */
  public boolean canDisplace() {
    return queue.canDisplace();
  }

  /** Returns the memory that a launch may need now, in bytes; for display. */
  public long launchableBytes() {
    return holds.isEmpty() && !processors.isBusy()
        ? Math.min(
            policy.launchableBytes(),
            bound.leftBytes(running.containers(), policy.expectedHeldBytes()))
        : 0;
  }

  /**
   * Returns until when launches are delayed after a kill; not after {@code nowNanos} if not at all.
   */
  public long delayedUntilNanos(long nowNanos) {
    return policy.delayedUntilNanos(nowNanos);
  }

  private LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    if (!holds.isEmpty()) {
      return new LaunchVerdict(false, holds.iterator().next(), expectedPeakBytes, 0);
    }
    if (processors.isBusy()) {
      return new LaunchVerdict(false, LaunchVerdict.Reason.PROCESSORS_BUSY, expectedPeakBytes, 0);
    }
    LaunchVerdict verdict = policy.judge(request, expectedPeakBytes, nowNanos);
    if (!verdict.launch()) {
      return verdict;
    }
    // The start limit comes last, so that a container that waits for memory reports that.
    return bound
        .refusal(verdict.neededBytes(), running.containers(), policy.expectedHeldBytes())
        .orElseGet(
            () ->
                processors.isStarting(running.containers(), nowNanos)
                    ? verdict.refused(LaunchVerdict.Reason.STARTING_LIMIT)
                    : verdict);
  }

  private boolean couldEverFit(LaunchRequest request) {
    long peak = Math.min(expectedPeakBytes(request), request.requestedBytes());
    return bound.couldEverFit(policy.neededAlone(request, peak))
        && policy.couldEverFit(request, peak);
  }

  /**
   * Returns the expected peak of a container. While no best-effort container runs, it is at most
   * the request: otherwise a learned peak above the node's memory would shut its job out forever,
   * because no further container could correct it. Our choice.
   */
  private long expectedPeakBytes(LaunchRequest request) {
    long learnedBytes = profile.expectedPeakBytes(request.job(), request.requestedBytes());
    return running.containers().isEmpty()
        ? Math.min(learnedBytes, request.requestedBytes())
        : learnedBytes;
  }

  private void start(
      LaunchRequest request, long expectedPeakBytes, long launchedNanos, boolean found) {
    running.put(new RunningContainer(request, expectedPeakBytes, launchedNanos, found));
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
}
