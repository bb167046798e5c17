/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A simulated node: the real local scheduler over modelled containers. It advances in steps;
 * between two steps, every container has a constant speed. A step happens at each start and end,
 * when memory runs short, and at least every second while memory is short or a container waits.
 * Without either, the node takes no further steps.
 */
public final class SimulatedNode implements NodeState {
  /** Cause of kills by Linux's own OOM killer, when swap is full as well. */
  public static final String LINUX_OOM = "linux-oom";

  private static final long TICK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long READING_NANOS = Duration.ofMillis(1).toNanos();

  private final NodeSize size;
  private final Processors processors;
  private final ThrashModel thrash;
  private final NodePolicy policy;
  private final NodeListener listener;
  private final LaunchPolicy launches;
  private final LocalScheduler scheduler;
  private final Killer killer;
  private final Map<String, NodeContainer> running = new LinkedHashMap<>();
  private final List<NodeContainer> runningView =
      new ArrayList<>(); // The same in order, for fast iteration.
  private final Map<String, ContainerPlan> waiting = new HashMap<>();
  private final Map<String, Long> usedBytes = new UsedBytes(running);
  private MemoryPressure pressure;
  private double anonymousBytes;
  private double fileBytes;
  private long guaranteedRequestedBytes;
  private long nowNanos;
  private long readNanos = -READING_NANOS;
  private long nextStepNanos = Long.MAX_VALUE;
  private long containersStarted;
  private LaunchVerdict lastVerdict;
  private double[] shares = {};
  private boolean sharesValid;
  private boolean pacesValid;
  private double resident;
  private double used;
  private double requested;
  private double productionUsed;
  private double productionRequested;

  /**
   * Creates an empty node.
   *
   * @param size size of the node
   * @param processors processors that its containers use
   * @param queueLimit best-effort containers that may wait
   * @param thrash slowdown by memory that does not fit
   * @param policy decides which containers start and which are killed
   * @param random draws kill delays
   * @param listener receives starts and ends
   */
  public SimulatedNode(
      NodeSize size,
      Processors processors,
      int queueLimit,
      ThrashModel thrash,
      NodePolicy policy,
      RandomGenerator random,
      NodeListener listener) {
    this.size = size;
    this.processors = processors;
    processors.usedBy(runningView);
    this.thrash = thrash;
    this.policy = policy;
    this.listener = listener;
    this.pressure = new MemoryPressure(thrash, size.memoryBytes(), 0, 0);
    PeakProfile profile = policy.profile();
    this.launches = policy.launchPolicy(this, profile);
    this.scheduler =
        new LocalScheduler(
            new LaunchQueue(
                policy.isOracle() ? Integer.MAX_VALUE : queueLimit, policy.queueOrder()),
            profile,
            launches,
            policy.starts());
    scheduler.cores(size.cores());
    this.killer = policy.killer(random);
  }

  /**
   * Requests the start of a container.
   *
   * @param plan the container
   * @param now virtual nanoseconds, not before those of the last call
   * @return whether it runs, waits, or is rejected because the queue is full
   */
  public LaunchDecision.Outcome request(ContainerPlan plan, long now) {
    advanceTo(now);
    read();
    if (plan.executionType() == ExecutionType.GUARANTEED) {
      scheduler.request(plan.request(false), now);
      killer.productionStarts(plan.requestedBytes());
      start(plan);
      step();
      return LaunchDecision.Outcome.LAUNCHED;
    }
    waiting.put(plan.id(), plan);
    LaunchRequest request =
        policy.knowsPeaks() ? plan.requestOfPeak() : plan.request(policy.knowsNames());
    LaunchDecision decision = scheduler.request(request, now);
    if (decision.outcome() == LaunchDecision.Outcome.REJECTED && displaceFor(request)) {
      decision = scheduler.request(request, now);
    }
    lastVerdict = decision.verdict();
    switch (decision.outcome()) {
      case LAUNCHED -> start(plan);
      case REJECTED -> waiting.remove(plan.id());
      case QUEUED -> {}
    }
    step();
    return decision.outcome();
  }

  private boolean displaceFor(LaunchRequest request) {
    Optional<LaunchRequest> other = scheduler.displacedBy(request);
    other.ifPresent(
        displaced -> {
          scheduler.ended(displaced.containerId(), 0);
          listener.displaced(waiting.remove(displaced.containerId()));
        });
    return other.isPresent();
  }

  /** Returns whether a full queue may accept a new container by displacing a waiting one. */
  public boolean canDisplace() {
    return scheduler.canDisplace();
  }

  /**
   * Stops a container that its application does not need any more; ignores unknown containers.
   *
   * @param containerId the container
   * @param now virtual nanoseconds
   */
  public void stop(String containerId, long now) {
    advanceTo(now);
    ContainerPlan waits = waiting.remove(containerId);
    NodeContainer runs = running.get(containerId);
    if (waits != null) {
      scheduler.ended(containerId, 0);
      listener.withdrawn(waits);
    } else if (runs != null && !runs.isDying()) {
      end(runs, NodeListener.End.STOPPED);
      measure();
    }
    step();
  }

  /**
   * Advances to a time and executes the steps that are due.
   *
   * @param now virtual nanoseconds
   */
  public void wake(long now) {
    advanceTo(now);
    step();
  }

  /** Returns the time at which this node has to be woken next; {@link Long#MAX_VALUE} if never. */
  public long nextStepNanos() {
    return nextStepNanos;
  }

  /** Returns the processors that its containers could use now. */
  public ProcessorDemand processorDemand() {
    return new ProcessorDemand(
        ProcessorShares.wanted(runningView, false), ProcessorShares.wanted(runningView, true));
  }

  /** Returns the number of waiting best-effort containers. */
  public int queueLength() {
    return waiting.size();
  }

  /** Returns the memory use from the start until the given time. */
  public NodeUsage usage(long now) {
    advanceTo(now);
    return new NodeUsage(resident, used, requested, productionUsed, productionRequested);
  }

  @Override
  public NodeSize size() {
    return size;
  }

  @Override
  public long availableBytes() {
    double fileResident = fileBytes - pressure.fileShort();
    double free = size.memoryBytes() - (anonymousBytes - pressure.anonymousShort()) - fileResident;
    double kept = keptPageCache(fileResident, free);
    return Math.max(0, Math.min(size.memoryBytes(), Math.round(free + fileResident - kept)));
  }

  /**
   * Returns the page cache that does not count as available; pages read once stay cached only where
   * there is room.
   */
  private double keptPageCache(double fileResident, double free) {
    if (fileResident / 2 >= size.lowWatermarkBytes()) {
      return size.lowWatermarkBytes();
    }
    double streaming = 0;
    for (NodeContainer container : runningView) {
      streaming += container.streaming();
    }
    double pageCache = fileResident + Math.min(streaming, Math.max(0, free));
    return Math.min(pageCache / 2, (double) size.lowWatermarkBytes());
  }

  @Override
  public boolean isUnderPressure() {
    return pressure.exists();
  }

  @Override
  public long beyondSwapBytes() {
    return Math.max(0, Math.round(pressure.anonymousShort() - size.swapBytes()));
  }

  @Override
  public List<NodeContainer> containers() {
    return Collections.unmodifiableList(runningView);
  }

  @Override
  public long guaranteedRequestedBytes() {
    return guaranteedRequestedBytes;
  }

  @Override
  public ContainerPlan waitingPlan(String containerId) {
    return waiting.get(containerId);
  }

  @Override
  public boolean isDying() {
    return runningView.stream().anyMatch(NodeContainer::isDying);
  }

  private void advanceTo(long now) {
    long elapsed = now - nowNanos;
    if (elapsed < 0) {
      throw new IllegalArgumentException("time runs backwards: " + nowNanos + " to " + now + " ns");
    }
    nowNanos = now;
    if (elapsed == 0) {
      return;
    }
    double all = 0;
    for (NodeContainer container : runningView) {
      boolean starts = container.isStarting();
      double bytes = container.advance(elapsed);
      if (starts && !container.isStarting()) {
        sharesValid = false; // Its processor demand changes.
      }
      all += bytes;
      if (container.isEndless()) {
        continue;
      }
      double asked = (double) container.plan().requestedBytes() * elapsed;
      used += bytes;
      requested += asked;
      if (!container.isBestEffort()) {
        productionUsed += bytes;
        productionRequested += asked;
      }
    }
    resident += Math.min(all, (double) size.memoryBytes() * elapsed);
    measure();
  }

  /**
   * Executes the ends, kills and launches that are due; then computes the new speeds and the time
   * of the next step.
   */
  private void step() {
    boolean changed;
    do {
      changed = endCompleted();
      changed |= killNext();
    } while (changed);
    launchWaiting();
    pace();
    nextStepNanos = nextStep();
    checkInvariants();
  }

  private boolean endCompleted() {
    List<NodeContainer> gone = List.of();
    for (NodeContainer container : runningView) {
      if (container.isDying() ? container.releasedNanos() <= nowNanos : container.isDone()) {
        gone = gone.isEmpty() ? new ArrayList<>() : gone;
        gone.add(container);
      }
    }
    for (NodeContainer container : gone) {
      end(container, container.isDying() ? NodeListener.End.KILLED : NodeListener.End.COMPLETED);
    }
    if (!gone.isEmpty()) {
      measure();
    }
    return !gone.isEmpty();
  }

  private void end(NodeContainer container, NodeListener.End end) {
    ContainerPlan plan = container.plan();
    running.remove(plan.id());
    runningView.remove(container);
    sharesValid = false;
    if (container.isBestEffort()) {
      scheduler.ended(
          plan.id(),
          policy.learnsPeaks() ? container.peakBytes() : 0,
          0,
          end != NodeListener.End.COMPLETED);
    } else {
      guaranteedRequestedBytes -= plan.requestedBytes();
    }
    listener.ended(
        plan,
        end,
        end == NodeListener.End.KILLED ? container.cause() : "",
        container.workDoneNanos());
  }

  private boolean killNext() {
    Optional<Killer.Kill> kill = killer.decide(this, nowNanos).or(this::linuxOutOfMemory);
    kill.ifPresent(
        decided -> {
          decided.container().kill(decided.cause(), nowNanos + decided.releaseNanos());
          sharesValid = false;
          scheduler.killedForMemory(nowNanos);
        });
    return kill.isPresent();
  }

  /**
   * Swap is full: Linux kills the largest of the processes with the highest OOM score, all of which
   * are best-effort.
   */
  private Optional<Killer.Kill> linuxOutOfMemory() {
    if (beyondSwapBytes() == 0 || isDying()) {
      return Optional.empty();
    }
    return runningView.stream()
        .filter(NodeContainer::isBestEffort)
        .max((a, b) -> Long.compare(a.anonymousBytes(), b.anonymousBytes()))
        .map(victim -> new Killer.Kill(victim, LINUX_OOM, 0));
  }

  private void launchWaiting() {
    if (waiting.isEmpty()) {
      return;
    }
    read();
    if (policy.isOracle()) {
      launchAnyThatFit();
      return;
    }
    while (!waiting.isEmpty()) {
      LaunchRequest first = scheduler.first(nowNanos).orElseThrow();
      LaunchDecision decision = scheduler.request(first, nowNanos);
      lastVerdict = decision.verdict();
      if (decision.outcome() != LaunchDecision.Outcome.LAUNCHED) {
        policy.longestWait().ifPresent(this::handBack);
        return;
      }
      start(waiting.get(first.containerId()));
    }
  }

  private void handBack(Duration longestWait) {
    for (LaunchRequest waited : scheduler.waitingFor(longestWait, nowNanos)) {
      scheduler.ended(waited.containerId(), 0);
      listener.handedBack(waiting.remove(waited.containerId()));
    }
  }

  /**
   * Launches regardless of the order of arrival: the container that ends soonest comes first, and
   * one that does not fit does not hold up the others.
   */
  private void launchAnyThatFit() {
    List<LaunchRequest> bySoonestEnd = new ArrayList<>(scheduler.waiting(nowNanos));
    if (!anyFits(bySoonestEnd)) {
      return;
    }
    bySoonestEnd.sort(
        Comparator.comparingDouble(
            request -> waiting.get(request.containerId()).work().runNanos()));
    bySoonestEnd.forEach(request -> scheduler.ended(request.containerId(), 0));
    List<LaunchRequest> passedOver = new ArrayList<>();
    for (LaunchRequest request : bySoonestEnd) {
      LaunchDecision decision = scheduler.request(request, nowNanos);
      lastVerdict = decision.verdict();
      if (decision.outcome() == LaunchDecision.Outcome.LAUNCHED) {
        start(waiting.get(request.containerId()));
      } else {
        scheduler.ended(request.containerId(), 0);
        passedOver.add(request);
      }
    }
    passedOver.forEach(request -> scheduler.request(request, nowNanos));
  }

  private boolean anyFits(List<LaunchRequest> requests) {
    for (LaunchRequest request : requests) {
      lastVerdict = launches.judge(request, request.requestedBytes(), nowNanos);
      if (lastVerdict.launch()) {
        return true;
      }
    }
    return false;
  }

  private void start(ContainerPlan plan) {
    waiting.remove(plan.id());
    NodeContainer container = new NodeContainer(plan, ++containersStarted, nowNanos);
    if (running.put(plan.id(), container) != null) {
      throw new IllegalStateException("container " + plan.id() + " was started twice");
    }
    runningView.add(container);
    sharesValid = false;
    if (!container.isBestEffort()) {
      guaranteedRequestedBytes += plan.requestedBytes();
    }
    measure();
    listener.started(plan);
  }

  /** Reads the node's memory at most once per millisecond, as a NodeManager does. */
  private void read() {
    if (nowNanos - readNanos < READING_NANOS) {
      return;
    }
    readNanos = nowNanos;
    long launchable = Math.max(0, availableBytes() - policy.keptFreeBytes(size));
    scheduler.observed(new NodeMemory(size.memoryBytes(), launchable), usedBytes, nowNanos);
  }

  private void measure() {
    anonymousBytes = 0;
    fileBytes = 0;
    for (NodeContainer container : runningView) {
      anonymousBytes += container.anonymous();
      fileBytes += container.file();
    }
    pressure = new MemoryPressure(thrash, size.memoryBytes(), anonymousBytes, fileBytes);
  }

  private void pace() {
    if (!sharesValid || processors.areShared()) {
      shares = processors.shares(runningView);
      sharesValid = true;
    } else if (pacesValid && !pressure.exists()) {
      // The containers are the same as at the last step, and there was and is no pressure.
      return;
    }
    pacesValid = !pressure.exists();
    for (int i = 0; i < shares.length; i++) {
      NodeContainer container = runningView.get(i);
      if (!container.isDying()) {
        pressure.pace(container, shares[i]);
      }
    }
  }

  private long nextStep() {
    double soonest = Double.POSITIVE_INFINITY;
    double potential = 0;
    for (NodeContainer container : runningView) {
      soonest =
          Math.min(
              soonest,
              container.isDying()
                  ? container.releasedNanos() - nowNanos
                  : Math.ceil(container.nanosToEnd()));
      potential += container.potentialBytes();
    }
    if (!waiting.isEmpty()) {
      soonest = Math.min(soonest, nextLaunch());
    }
    // The least free memory at which anything could change.
    double line = policy.watchedAvailableBytes(size);
    if (anonymousBytes + fileBytes > size.memoryBytes() - line) {
      soonest = Math.min(soonest, Math.min((double) TICK_NANOS, nanosUntilShort(0)));
    } else if (potential > size.memoryBytes() - line) {
      // Growth is constant up to the next bend of a curve, so the time of the crossing is exact.
      soonest = Math.min(soonest, Math.min(nanosUntilBend(), nanosUntilShort(line)));
    }
    soonest = Math.min(soonest, (double) killer.recheckNanos(this));
    return Double.isInfinite(soonest) || soonest >= Long.MAX_VALUE - nowNanos
        ? Long.MAX_VALUE
        : nowNanos + Math.max(1, (long) soonest);
  }

  private double nextLaunch() {
    return switch (lastVerdict.reason()) {
      case ONE_AT_A_TIME -> READING_NANOS;
      case DELAYED_AFTER_KILL ->
          Math.min(TICK_NANOS, scheduler.delayedUntilNanos(nowNanos) - nowNanos);
      default -> TICK_NANOS;
    };
  }

  /** Returns the time until the growth of any container's memory changes, in nanoseconds. */
  private double nanosUntilBend() {
    double bend = Double.POSITIVE_INFINITY;
    for (NodeContainer container : runningView) {
      bend = Math.min(bend, container.nanosToBend());
    }
    return Math.ceil(bend);
  }

  /**
   * Returns the time until the remaining memory falls just below a threshold at the present growth,
   * in nanoseconds.
   */
  private double nanosUntilShort(double lineBytes) {
    double growth = 0;
    for (NodeContainer container : runningView) {
      growth += container.growth();
    }
    double left = size.memoryBytes() - lineBytes - anonymousBytes - fileBytes;
    return growth > 0 && left >= 0 ? Math.ceil(left / growth) + 1 : Double.POSITIVE_INFINITY;
  }

  private void checkInvariants() {
    if (running.size() != runningView.size() || guaranteedRequestedBytes < 0) {
      throw new IllegalStateException(
          "the node's counters are inconsistent: %d and %d containers, %d bytes guaranteed"
              .formatted(running.size(), runningView.size(), guaranteedRequestedBytes));
    }
    if (scheduler.waitingCount() != waiting.size()) {
      throw new IllegalStateException(
          "%d containers wait, but the local scheduler counts %d"
              .formatted(waiting.size(), scheduler.waitingCount()));
    }
  }
}
