/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.JobPeaks;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakEstimate;
import io.charon.core.scheduler.RunningContainer;
import io.charon.nodemanager.report.recording.Recorded;
import io.charon.nodemanager.report.recording.RecordingWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
 * The local scheduler as the NodeManager's threads see it: one lock around the pure core, a clock,
 * and the decisions of the recent past. Nothing here does I/O, so YARN's dispatcher never waits.
 */
public final class LaunchGate {
  private static final Logger LOG = LoggerFactory.getLogger(LaunchGate.class);

  private LocalScheduler scheduler;
  private final long readingAgeNanos;
  private final LongSupplier nanoClock;
  private final Clock wallClock;
  private String remark;
  private final LaunchHistory history;
  private UnaryOperator<LaunchRequest> naming = UnaryOperator.identity();
  private Consumer<Recorded> recording = line -> {};
  private Optional<Recorded> lastReading = Optional.empty();
  private long readNanos;
  private OptionalLong lastBound = OptionalLong.empty();
  private OptionalInt lastCores = OptionalInt.empty();
  private boolean held;
  private boolean stopped;
  private long capacityBytes;

  /**
   * Creates a gate.
   *
   * @param scheduler the core, used by nobody else
   * @param readingAge how old a reading may be that launches are decided by; with an older one the
   *     node's memory counts as unknown
   * @param nanoClock monotonic nanoseconds
   * @param wallClock for the times that people read
   * @param launchWaitNanos told how long each best-effort container waited that is launched, 0 if
   *     it did not; must not block
   * @param remark what stands in the log before each decision
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
   * Another scheduler decides from now on. It knows what was learned, and neither a container nor
   * the node's memory: nothing starts before it was told of those that run, and of that.
   *
   * @param fresh knows nothing yet, used by nobody else
   * @param fromNow what stands in the log before each decision
   */
  public synchronized void restart(LocalScheduler fresh, String fromNow) {
    long nowNanos = nanoClock.getAsLong();
    long wallMillis = wallClock.millis();
    Stream.concat(
            scheduler.running().stream().map(RunningContainer::request),
            scheduler.waiting(nowNanos).stream())
        .forEach(
            known ->
                recording.accept(
                    new Recorded.Ended(nowNanos, known.containerId(), 0, wallMillis, false)));
    fresh.restorePeaks(scheduler.learnedPeaks(), wallMillis);
    lastCores.ifPresent(fresh::cores);
    fresh.hold(held);
    fresh.stop(stopped);
    scheduler = fresh;
    remark = fromNow;
    history.forgetWaiting();
    bound(OptionalLong.empty());
    unobserved();
  }

  /**
   * What is known of the jobs of containers beyond what the containers say, from now on.
   *
   * @param names the same container with the job that is known now; called under this gate's lock,
   *     must not block
   */
  public synchronized void names(UnaryOperator<LaunchRequest> names) {
    naming = names;
  }

  /**
   * Whatever is told or decided from now on is written down, too.
   *
   * @param to takes each line, in order; called under this gate's lock, must not block
   */
  public synchronized void record(Consumer<Recorded> to) {
    recording = to;
  }

  /** All that is known now, as another scheduler would have to be told. */
  public synchronized RecordingWriter.Checkpoint checkpoint() {
    long nowNanos = nanoClock.getAsLong();
    List<Recorded> lines = new ArrayList<>();
    lines.add(new Recorded.Learned(nowNanos, learnedPeaks(), wallClock.millis(), true));
    lastCores.ifPresent(cores -> lines.add(new Recorded.Cores(nowNanos, cores)));
    scheduler
        .running()
        .forEach(
            running ->
                lines.add(
                    new Recorded.Adopted(
                        nowNanos,
                        running.request(),
                        running.found() ? null : running.launchedNanos())));
    lastBound.ifPresent(bytes -> lines.add(new Recorded.Bound(nowNanos, bytes)));
    if (held || stopped) {
      lines.add(new Recorded.Held(nowNanos, true));
    }
    lastReading.ifPresent(lines::add);
    for (LaunchRequest request : scheduler.waiting(nowNanos)) {
      lines.add(
          new Recorded.Asked(
              nowNanos,
              request,
              LaunchDecision.Outcome.QUEUED,
              history.reason(request.containerId())));
    }
    return new RecordingWriter.Checkpoint(nowNanos, lines);
  }

  /** A container wants to start, for the first time or again. */
  public synchronized LaunchDecision request(LaunchRequest asked) {
    long nowNanos = nanoClock.getAsLong();
    forgetOldReading(nowNanos);
    LaunchRequest request = naming.apply(asked);
    boolean news = !isRunning(request.containerId());
    LaunchDecision decision = scheduler.request(request, nowNanos);
    if (news) {
      remember(request, decision, nowNanos);
    }
    return decision;
  }

  /** A best-effort container was found running after a restart of the NodeManager. */
  public synchronized void adopt(LaunchRequest found) {
    long nowNanos = nanoClock.getAsLong();
    LaunchRequest request = naming.apply(found);
    scheduler.adopt(request, nowNanos);
    history.forget(request.containerId());
    recording.accept(new Recorded.Adopted(nowNanos, request, null));
  }

  /** Whether a best-effort container was launched or adopted and has not ended. */
  public synchronized boolean isRunning(String containerId) {
    return scheduler.running().stream()
        .anyMatch(running -> running.request().containerId().equals(containerId));
  }

  /**
   * A container ended, whether it ran or waited.
   *
   * @param peakBytes its highest working set, 0 if never measured
   * @param truncated whether it was killed before it was done
   * @return how well its need was foreseen; empty if it did not run
   */
  public synchronized Optional<PeakEstimate> ended(
      String containerId, long peakBytes, boolean truncated) {
    history.forget(containerId);
    long wallMillis = wallClock.millis();
    recording.accept(
        new Recorded.Ended(nanoClock.getAsLong(), containerId, peakBytes, wallMillis, truncated));
    return scheduler.ended(containerId, peakBytes, wallMillis, truncated);
  }

  /** The peaks of all jobs that were learned. */
  public synchronized List<JobPeaks> learnedPeaks() {
    return scheduler.learnedPeaks();
  }

  /** Takes over what an earlier NodeManager of this node had learned. */
  public synchronized void restorePeaks(List<JobPeaks> learned) {
    long wallMillis = wallClock.millis();
    recording.accept(new Recorded.Learned(nanoClock.getAsLong(), learned, wallMillis, true));
    scheduler.restorePeaks(learned, wallMillis);
  }

  /**
   * Learns what containers of other nodes needed.
   *
   * @return how many jobs there were among them of which nothing was known
   */
  public synchronized int learnPeaks(List<JobPeaks> others) {
    long wallMillis = wallClock.millis();
    recording.accept(new Recorded.Learned(nanoClock.getAsLong(), others, wallMillis, false));
    return scheduler.learnPeaks(others, wallMillis);
  }

  /** A container waits no longer; one that was launched meanwhile goes on. */
  public synchronized void leftQueue(String containerId) {
    if (!isRunning(containerId)) {
      ended(containerId, 0, false);
    }
  }

  /** A best-effort container was killed for memory. */
  public synchronized void killedForMemory() {
    long nowNanos = nanoClock.getAsLong();
    recording.accept(new Recorded.Killed(nowNanos));
    scheduler.killedForMemory(nowNanos);
  }

  /**
   * The node's memory was read just now.
   *
   * @return whether the first of the queue may start now
   */
  public boolean observed(NodeMemory memory, Map<String, Long> workingSetBytes) {
    return observed(memory, workingSetBytes, nanoClock.getAsLong());
  }

  /**
   * The node's memory was read.
   *
   * @param readNanos when that began; a tick may have been held up since
   * @return whether the first of the queue may start now
   */
  public synchronized boolean observed(
      NodeMemory memory, Map<String, Long> workingSetBytes, long readNanos) {
    long nowNanos = nanoClock.getAsLong();
    capacityBytes = memory.capacityBytes();
    this.readNanos = readNanos;
    Recorded reading = new Recorded.Observed(nowNanos, memory, Map.copyOf(workingSetBytes));
    lastReading = Optional.of(reading);
    recording.accept(reading);
    nameJobs(nowNanos);
    scheduler.observed(memory, workingSetBytes, nowNanos);
    forgetOldReading(nowNanos);
    return scheduler.judgeFirst(nowNanos).map(LaunchVerdict::launch).orElse(false);
  }

  /** What was true a while ago says nothing of what is free now. */
  private void forgetOldReading(long nowNanos) {
    if (lastReading.isPresent() && nowNanos - readNanos > readingAgeNanos) {
      LOG.warn(
          "the last reading of the node's memory is {} ms old, at most {} ms are allowed: nothing"
              + " starts until the next one",
          TimeUnit.NANOSECONDS.toMillis(nowNanos - readNanos),
          TimeUnit.NANOSECONDS.toMillis(readingAgeNanos));
      unobserved();
    }
  }

  /** What was not known when a container came may be known now. */
  private void nameJobs(long nowNanos) {
    Stream.concat(
            scheduler.waiting(nowNanos).stream(),
            scheduler.running().stream().map(RunningContainer::request))
        .forEach(
            known -> {
              LaunchRequest named = naming.apply(known);
              if (!named.equals(known)) {
                scheduler.named(named, nowNanos);
                recording.accept(new Recorded.Named(nowNanos, named));
              }
            });
  }

  /** The node's memory could not be read. */
  public synchronized void unobserved() {
    recording.accept(new Recorded.Unobserved(nanoClock.getAsLong()));
    lastReading = Optional.empty();
    scheduler.unobserved();
  }

  /**
   * How much memory best-effort may hold altogether from now on; what runs already is not touched.
   *
   * @param bytes at least 0; empty for no such bound
   */
  public synchronized void bound(OptionalLong bytes) {
    lastBound = bytes;
    recording.accept(
        new Recorded.Bound(nanoClock.getAsLong(), bytes.isPresent() ? bytes.getAsLong() : null));
    scheduler.bound(bytes);
  }

  /** How many cores the node has from now on, at least 1. */
  public synchronized void cores(int cores) {
    if (lastCores.isPresent() && lastCores.getAsInt() == cores) {
      return;
    }
    lastCores = OptionalInt.of(cores);
    recording.accept(new Recorded.Cores(nanoClock.getAsLong(), cores));
    scheduler.cores(cores);
  }

  /** Whether launches wait until containers that are frozen for lack of memory go on. */
  public synchronized void hold(boolean hold) {
    held = hold;
    recordHeld();
    scheduler.hold(hold);
  }

  /**
   * An operator stopped best-effort, or lets it go on.
   *
   * @return whether that is new
   */
  public synchronized boolean stop(boolean stop) {
    boolean news = stopped != stop;
    stopped = stop;
    scheduler.stop(stop);
    if (news) {
      recordHeld();
    }
    return news;
  }

  /** Whether an operator stopped best-effort. */
  public synchronized boolean isStopped() {
    return stopped;
  }

  /** Why launches are held makes no difference to what is decided. */
  private void recordHeld() {
    recording.accept(new Recorded.Held(nanoClock.getAsLong(), held || stopped));
  }

  /** Ids of the best-effort containers that run, oldest first. */
  public synchronized List<String> runningOldestFirst() {
    return scheduler.running().stream().map(running -> running.request().containerId()).toList();
  }

  /** Ids of the best-effort containers that wait, first to start first. */
  public synchronized List<String> waitingInOrder() {
    return scheduler.waiting(nanoClock.getAsLong()).stream()
        .map(LaunchRequest::containerId)
        .toList();
  }

  /**
   * Ids of the best-effort containers that have waited here for some time or longer.
   *
   * @param time how long
   */
  public synchronized List<String> waitingFor(Duration time) {
    return scheduler.waitingFor(time, nanoClock.getAsLong()).stream()
        .map(LaunchRequest::containerId)
        .toList();
  }

  /**
   * Who gives its place to a newcomer if YARN's queue is full; changes nothing.
   *
   * @param newcomer would be rejected otherwise
   * @return id of the container to reject in its place; empty if none
   */
  public synchronized Optional<String> givesWay(LaunchRequest newcomer) {
    return scheduler.givesWay(naming.apply(newcomer)).map(LaunchRequest::containerId);
  }

  /** Whether a full queue may take a newcomer nevertheless. */
  public synchronized boolean givesWay() {
    return scheduler.givesWay();
  }

  /** How long a best-effort container that came now would wait, at most a day. */
  public synchronized Duration estimatedWait() {
    long nowNanos = nanoClock.getAsLong();
    return history.estimatedWait(
        scheduler.delayedUntilNanos(nowNanos) - nowNanos,
        capacityBytes > 0 ? (double) scheduler.launchableBytes() / capacityBytes : 0,
        nowNanos);
  }

  /** The decision by which a container was launched, if it is among the last ones. */
  public synchronized Optional<LaunchDecision> launched(String containerId) {
    return history.launched(containerId);
  }

  /** Whether any container waits. */
  public synchronized boolean anyWaiting() {
    return scheduler.anyWaiting();
  }

  /** Everything at this instant, for people to read. */
  public synchronized LaunchView view() {
    long nowNanos = nanoClock.getAsLong();
    forgetOldReading(nowNanos);
    return new LaunchView(
        scheduler.running().stream()
            .map(running -> new LaunchView.Running(running, nowNanos - running.launchedNanos()))
            .toList(),
        scheduler.waiting(nowNanos).stream()
            .map(request -> history.waiting(request, nowNanos))
            .toList(),
        scheduler.launchableBytes(),
        Math.max(0, scheduler.delayedUntilNanos(nowNanos) - nowNanos),
        history.recent());
  }

  private void remember(LaunchRequest request, LaunchDecision decision, long nowNanos) {
    if (history.decided(request, decision, nowNanos)) {
      recording.accept(
          new Recorded.Asked(nowNanos, request, decision.outcome(), decision.verdict().reason()));
      LOG.info("{}{}", remark, decision);
    }
  }
}
