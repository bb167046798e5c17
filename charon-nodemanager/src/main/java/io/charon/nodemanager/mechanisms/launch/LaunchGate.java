/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.JobPeaks;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.LearnedState;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakEstimate;
import io.charon.core.scheduler.RunningContainer;
import io.charon.nodemanager.execution.LaunchControl;
import io.charon.nodemanager.report.recording.Recorded;
import io.charon.nodemanager.report.recording.RecordingWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local scheduler for the NodeManager's threads: one lock around the pure core, a clock, and
 * the recent decisions. It does no I/O, so that YARN's dispatcher never waits.
 */
public final class LaunchGate implements LaunchControl {
  private static final Logger LOG = LoggerFactory.getLogger(LaunchGate.class);

  private LocalScheduler scheduler;
  private final long readingAgeNanos;
  private final LongSupplier nanoClock;
  private final Clock wallClock;
  private String remark;
  private final LaunchHistory history;
  private UnaryOperator<LaunchRequest> naming = UnaryOperator.identity();
  private final LaunchRecording recording = new LaunchRecording();
  private long readNanos;
  private long capacityBytes;

  /**
   * Creates a gate.
   *
   * @param scheduler the core, used by this gate alone
   * @param readingAge maximum age of the reading that launches are decided by; with an older one
   *     the node's memory counts as unknown
   * @param nanoClock monotonic nanoseconds
   * @param wallClock for displayed times
   * @param launchWaitNanos receives the wait of each launched best-effort container, 0 if it did
   *     not wait; must not block
   * @param remark text that precedes each decision in the log
   */
  public LaunchGate(
      LocalScheduler scheduler,
      Duration readingAge,
      LongSupplier nanoClock,
      Clock wallClock,
      LongConsumer launchWaitNanos,
      String remark) {
    this.scheduler = scheduler;
    this.readingAgeNanos = readingAge.toNanos();
    this.nanoClock = nanoClock;
    this.wallClock = wallClock;
    this.history = new LaunchHistory(wallClock, launchWaitNanos);
    this.remark = remark;
  }

  /**
   * Replaces the scheduler. The new one receives what was learned only: the caller has to report
   * the running containers again, and nothing starts before the next reading of the memory.
   *
   * @param fresh a new scheduler, used by this gate alone
   * @param fromNow text that precedes each decision in the log
   */
  public synchronized void restart(LocalScheduler fresh, String fromNow) {
    long nowNanos = nanoClock.getAsLong();
    long wallMillis = wallClock.millis();
    known(nowNanos)
        .forEach(
            known ->
                recording.add(
                    new Recorded.Ended(nowNanos, known.containerId(), 0, wallMillis, false)));
    fresh.restore(scheduler.learned(), wallMillis);
    recording.restore(fresh.processors());
    scheduler.holds().forEach(reason -> fresh.hold(reason, true));
    scheduler = fresh;
    remark = fromNow;
    history.forgetWaiting();
    bound(OptionalLong.empty());
    unobserved();
  }

  /**
   * Sets the function that adds what is known of containers' jobs beyond the containers' own data.
   *
   * @param names returns the same container with its job; called under this gate's lock, must not
   *     block
   */
  public synchronized void names(UnaryOperator<LaunchRequest> names) {
    naming = names;
  }

  /**
   * Records all further events and decisions.
   *
   * @param to receives each line, in order; called under this gate's lock, must not block
   */
  public synchronized void record(Consumer<Recorded> to) {
    recording.receiver(to);
  }

  /** Returns the current state as the lines that would reproduce it in another scheduler. */
  public synchronized RecordingWriter.Checkpoint checkpoint() {
    long nowNanos = nanoClock.getAsLong();
    return new RecordingWriter.Checkpoint(
        nowNanos, recording.state(scheduler, history, nowNanos, wallClock.millis()));
  }

  /** Decides whether a container may start, when it asks for the first time or again. */
  public synchronized LaunchDecision request(LaunchRequest asked) {
    long nowNanos = nanoClock.getAsLong();
    forgetOldReading(nowNanos);
    LaunchRequest request = naming.apply(asked);
    boolean isNew = !isRunning(request.containerId());
    LaunchDecision decision = scheduler.request(request, nowNanos);
    if (isNew) {
      remember(request, decision, nowNanos);
    }
    return decision;
  }

  /** Adds a best-effort container that was found running after a restart of the NodeManager. */
  public synchronized void adopt(LaunchRequest found) {
    long nowNanos = nanoClock.getAsLong();
    LaunchRequest request = naming.apply(found);
    scheduler.adopt(request, nowNanos);
    history.forget(request.containerId());
    recording.add(new Recorded.Adopted(nowNanos, request, null));
  }

  @Override
  public synchronized boolean isRunning(String containerId) {
    return scheduler.running().stream()
        .anyMatch(running -> running.request().containerId().equals(containerId));
  }

  /**
   * Removes a container that has ended, whether it ran or waited.
   *
   * @param peakBytes its highest working set, 0 if never measured
   * @param end how it ended
   * @return the comparison of expected and measured peak; empty if the container did not run
   */
  public synchronized Optional<PeakEstimate> ended(
      String containerId, long peakBytes, ContainerEnd end) {
    history.forget(containerId);
    boolean truncated = end.isTruncated(scheduler.hasSettled(containerId));
    long wallMillis = wallClock.millis();
    recording.add(
        new Recorded.Ended(nanoClock.getAsLong(), containerId, peakBytes, wallMillis, truncated));
    return scheduler.ended(containerId, peakBytes, wallMillis, truncated);
  }

  /** Returns what the scheduler has learned. */
  public synchronized LearnedState learned() {
    return scheduler.learned();
  }

  /** Restores what an earlier NodeManager of this node learned. */
  public synchronized void restore(LearnedState learned) {
    long wallMillis = wallClock.millis();
    recording.add(Recorded.Learned.restored(nanoClock.getAsLong(), learned, wallMillis));
    scheduler.restore(learned, wallMillis);
  }

  /** Adds peaks of other nodes' containers; returns how many of their jobs were unknown before. */
  public synchronized int learnPeaks(List<JobPeaks> others) {
    long wallMillis = wallClock.millis();
    recording.add(new Recorded.Learned(nanoClock.getAsLong(), others, null, wallMillis, false));
    return scheduler.learnPeaks(others, wallMillis);
  }

  /** Removes a container from the queue; one that was launched in the meantime continues to run. */
  public synchronized void leftQueue(String containerId) {
    if (!isRunning(containerId)) {
      ended(containerId, 0, ContainerEnd.OTHER);
    }
  }

  @Override
  public synchronized void killedForMemory() {
    long nowNanos = nanoClock.getAsLong();
    recording.add(new Recorded.Killed(nowNanos));
    scheduler.killedForMemory(nowNanos);
  }

  @Override
  public boolean observed(NodeMemory memory, Map<String, Long> workingSetBytes) {
    return observed(memory, workingSetBytes, nanoClock.getAsLong());
  }

  /**
   * Handles a reading of the node's memory.
   *
   * @param readNanos when the reading began; the tick may have been delayed since
   * @return whether the first container of the queue may start now
   */
  public synchronized boolean observed(
      NodeMemory memory, Map<String, Long> workingSetBytes, long readNanos) {
    long nowNanos = nanoClock.getAsLong();
    capacityBytes = memory.capacityBytes();
    this.readNanos = readNanos;
    recording.add(new Recorded.Observed(nowNanos, memory, Map.copyOf(workingSetBytes)));
    nameJobs(nowNanos);
    scheduler.observed(memory, workingSetBytes, nowNanos);
    forgetOldReading(nowNanos);
    return scheduler.judgeFirst(nowNanos).map(LaunchVerdict::launch).orElse(false);
  }

  /** Discards a reading that is too old to tell how much memory is free now. */
  private void forgetOldReading(long nowNanos) {
    if (recording.hasReading() && nowNanos - readNanos > readingAgeNanos) {
      LOG.warn(
          "the last reading of the node's memory is {} ms old, more than the allowed {} ms: no container"
              + " starts until the next one",
          TimeUnit.NANOSECONDS.toMillis(nowNanos - readNanos),
          TimeUnit.NANOSECONDS.toMillis(readingAgeNanos));
      unobserved();
    }
  }

  /** Names the jobs of containers if their applications have become known since they came. */
  private void nameJobs(long nowNanos) {
    known(nowNanos)
        .forEach(
            known -> {
              LaunchRequest named = naming.apply(known);
              if (!named.equals(known)) {
                scheduler.jobKnown(named, nowNanos);
                recording.add(new Recorded.Named(nowNanos, named));
              }
            });
  }

  private Stream<LaunchRequest> known(long nowNanos) {
    return Stream.concat(
        scheduler.waiting(nowNanos).stream(),
        scheduler.running().stream().map(RunningContainer::request));
  }

  /** Handles a failed reading of the node's memory. */
  public synchronized void unobserved() {
    recording.add(new Recorded.Unobserved(nanoClock.getAsLong()));
    scheduler.unobserved();
  }

  /**
   * Limits the memory of best-effort as a whole; running containers are not affected.
   *
   * @param bytes at least 0; empty for no limit
   */
  public synchronized void bound(OptionalLong bytes) {
    recording.add(
        new Recorded.Bound(nanoClock.getAsLong(), bytes.isPresent() ? bytes.getAsLong() : null));
    scheduler.bound(bytes);
  }

  /**
   * Reports the node's processors.
   *
   * @param cores number of cores, at least 1
   * @param runnablePerCore mean number of threads that run or wait for a core, for each core; 0 if
   *     unknown
   */
  public synchronized void processors(int cores, double runnablePerCore) {
    boolean wasBusy = scheduler.processors().isBusy();
    double rounded = Math.round(runnablePerCore * 100) / 100.0;
    recording.add(new Recorded.Processors(nanoClock.getAsLong(), cores, rounded));
    scheduler.processors().seen(cores, rounded);
    if (scheduler.processors().isBusy() != wasBusy) {
      LOG.info("{}{}", remark, scheduler.processors());
    }
  }

  @Override
  public synchronized boolean hold(LaunchVerdict.Reason reason, boolean hold) {
    if (scheduler.holds().contains(reason) == hold) {
      return false;
    }
    scheduler.hold(reason, hold);
    recording.add(new Recorded.Held(nanoClock.getAsLong(), !scheduler.holds().isEmpty()));
    return true;
  }

  /** Returns whether an operator stopped best-effort. */
  public synchronized boolean isStopped() {
    return scheduler.holds().contains(LaunchVerdict.Reason.STOPPED);
  }

  @Override
  public synchronized List<String> runningOldestFirst() {
    return scheduler.running().stream().map(running -> running.request().containerId()).toList();
  }

  /**
   * Returns the ids of the waiting best-effort containers, in the order of their start. YARN asks
   * for them in this order and stops at the first that may not start.
   */
  public synchronized List<String> waitingInOrder() {
    return scheduler.startOrder(nanoClock.getAsLong()).stream()
        .map(LaunchRequest::containerId)
        .toList();
  }

  /**
   * Returns the ids of the best-effort containers that have waited here for at least some time.
   *
   * @param time the minimum wait
   */
  public synchronized List<String> waitingFor(Duration time) {
    return scheduler.waitingFor(time, nanoClock.getAsLong()).stream()
        .map(LaunchRequest::containerId)
        .toList();
  }

  /**
   * Returns the waiting container that a new one displaces if the queue is full; changes nothing.
   *
   * @param newContainer the new container, which would be rejected otherwise
   * @return id of the container to reject instead; empty if there is none
   */
  public synchronized Optional<String> displacedBy(LaunchRequest newContainer) {
    return scheduler.displacedBy(naming.apply(newContainer)).map(LaunchRequest::containerId);
  }

  /** Returns whether a new container may displace a waiting one when the queue is full. */
  public synchronized boolean canDisplace() {
    return scheduler.canDisplace();
  }

  /** Returns how long a new best-effort container would wait, at most a day. */
  public synchronized Duration estimatedWait() {
    long nowNanos = nanoClock.getAsLong();
    return history.estimatedWait(
        scheduler.delayedUntilNanos(nowNanos) - nowNanos,
        capacityBytes > 0 ? (double) scheduler.launchableBytes() / capacityBytes : 0,
        nowNanos);
  }

  /** Returns the decision that launched a container, if it is among the recent ones. */
  public synchronized Optional<LaunchDecision> launched(String containerId) {
    return history.launched(containerId);
  }

  @Override
  public synchronized boolean anyWaiting() {
    return scheduler.waitingCount() > 0;
  }

  /** Returns the current state, for status pages. */
  public synchronized LaunchView view() {
    long nowNanos = nanoClock.getAsLong();
    forgetOldReading(nowNanos);
    return new LaunchView(
        scheduler.running().stream()
            .map(running -> new LaunchView.Running(running, nowNanos - running.launchedNanos()))
            .toList(),
        scheduler.startOrder(nowNanos).stream()
            .map(request -> history.waiting(request, nowNanos))
            .toList(),
        scheduler.launchableBytes(),
        scheduler.processors().runnablePerCore(),
        Math.max(0, scheduler.delayedUntilNanos(nowNanos) - nowNanos),
        history.recent());
  }

  private void remember(LaunchRequest request, LaunchDecision decision, long nowNanos) {
    if (history.decided(request, decision, nowNanos)) {
      recording.add(
          new Recorded.Asked(nowNanos, request, decision.outcome(), decision.verdict().reason()));
      LOG.info("{}{}", remark, decision);
    }
  }
}
