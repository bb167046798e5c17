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
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * A simulated node: the real local scheduler over modelled containers. It advances in steps;
 * between two steps, every container has a constant speed. A step happens at each start and end,
 * when memory runs short, at least every second while memory is short, a container waits or a
 * mechanism sets limits, and every few seconds while the growth of containers is observed.
 * Otherwise the node takes no further steps.
 */
public final class SimulatedNode implements NodeState {
  /** Longest time between two steps while memory is short or a container waits. */
  static final long TICK_NANOS = Duration.ofSeconds(1).toNanos();

  /** Shortest time between two readings of memory. */
  static final long READING_NANOS = Duration.ofMillis(1).toNanos();

  private final NodeSize size;
  private final Processors processors;
  private final NodePolicy policy;
  private final NodeListener listener;
  private final LocalScheduler scheduler;
  private final Killer killer;
  private final Optional<NodeMechanism> mechanism;
  private final Killer linuxOomKiller = new LinuxOomKiller();
  private final Optional<BestEffortLimit> limit;
  private final long observeNanos;
  private final RunningContainers running;
  private final WaitingContainers waiting;
  private long nowNanos;
  private long readNanos = -READING_NANOS;
  private long nextObservationNanos;
  private long nextStepNanos = Long.MAX_VALUE;
  private long containersStarted;
  private double[] shares = {};
  private double quotaCores = Double.POSITIVE_INFINITY;
  private boolean sharesValid;
  private boolean pacesValid;

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
    this.limit = policy.limit(size, random);
    this.running = new RunningContainers(size, thrash, limit.isPresent());
    this.processors = processors;
    processors.usedBy(running.list());
    this.policy = policy;
    this.observeNanos = policy.observesEvery().orElse(Duration.ZERO).toNanos();
    this.nextObservationNanos = observeNanos > 0 ? 0 : Long.MAX_VALUE;
    this.listener = listener;
    PeakProfile profile = policy.profile();
    LaunchPolicy launches = policy.launchPolicy(this, profile);
    this.scheduler =
        new LocalScheduler(
            new LaunchQueue(
                policy.isOracle() ? Integer.MAX_VALUE : queueLimit, policy.queueOrder()),
            profile,
            launches,
            policy.processorLimits());
    scheduler.processors().seen(size.cores(), 0);
    this.waiting = new WaitingContainers(scheduler, launches, policy, listener, this::start);
    this.killer = policy.killer(random);
    this.mechanism = policy.mechanism(random);
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
    countRunnable();
    LaunchDecision.Outcome outcome = waiting.request(plan, now);
    step();
    return outcome;
  }

  /** Returns whether a full queue may accept a new container by displacing a waiting one. */
  public boolean canDisplace(long now) {
    return waiting.canDisplace(now);
  }

  /** Returns whether a full queue takes none now, because the last one could displace nobody. */
  public boolean isClosed(long now) {
    return waiting.isClosed(now);
  }

  /**
   * Stops a container that its application does not need any more; ignores unknown containers.
   *
   * @param containerId the container
   * @param now virtual nanoseconds
   */
  public void stop(String containerId, long now) {
    advanceTo(now);
    NodeContainer runs = running.get(containerId);
    if (waiting.plan(containerId) != null) {
      waiting.withdraw(containerId);
    } else if (runs != null && !runs.isDying()) {
      end(runs, NodeListener.End.STOPPED);
      running.measure();
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
        ProcessorShares.wanted(running.list(), false),
        ProcessorShares.wanted(running.list(), true));
  }

  /** Returns the number of waiting best-effort containers. */
  public int queueLength() {
    return waiting.count();
  }

  /** Returns the memory use from the start until the given time. */
  public NodeUsage usage(long now) {
    advanceTo(now);
    return running.usage();
  }

  @Override
  public NodeSize size() {
    return size;
  }

  @Override
  public long availableBytes() {
    return running.availableBytes();
  }

  @Override
  public boolean isUnderPressure() {
    return running.isUnderPressure();
  }

  @Override
  public long beyondSwapBytes() {
    return running.beyondSwapBytes();
  }

  @Override
  public List<NodeContainer> containers() {
    return running.list();
  }

  @Override
  public long guaranteedRequestedBytes() {
    return running.guaranteedRequestedBytes();
  }

  @Override
  public ContainerPlan waitingPlan(String containerId) {
    return waiting.plan(containerId);
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
    mechanism.ifPresent(own -> own.ran(running.list(), shares, elapsed));
    if (running.advance(elapsed)) {
      sharesValid = false;
    }
    limit();
  }

  /** Adapts best-effort's memory limit to the present memory use, and the bound of launches. */
  private void limit() {
    if (limit.isPresent()) {
      limit.get().sample(running, nowNanos);
      running.limit(limit.get().bytes());
    }
    bound();
  }

  private void bound() {
    OptionalLong own = limit.isPresent() ? limit.get().launchBytes(nowNanos) : OptionalLong.empty();
    scheduler.bound(mechanism.isPresent() ? mechanism.get().launchBytes(own) : own);
  }

  /**
   * Executes the ends, kills and launches that are due; then computes the new speeds and the time
   * of the next step.
   */
  private void step() {
    boolean changed;
    do {
      changed = endCompleted();
      limit();
      changed |= killNext();
    } while (changed);
    bound(); // The mechanism may have decided meanwhile.
    if (!waiting.isEmpty()) {
      countRunnable();
      read();
      waiting.launch(nowNanos);
      limit();
    } else if (running.hasBestEffort() && nowNanos >= nextObservationNanos) {
      read();
    }
    pace();
    nextStepNanos = nextStep();
    running.checkInvariants();
    waiting.checkInvariants();
  }

  private boolean endCompleted() {
    List<NodeContainer> gone = new ArrayList<>();
    for (NodeContainer container : running.list()) {
      if (container.isDying() ? container.releasedNanos() <= nowNanos : container.isDone()) {
        gone.add(container);
      }
    }
    for (NodeContainer container : gone) {
      end(container, container.isDying() ? NodeListener.End.KILLED : NodeListener.End.COMPLETED);
    }
    if (!gone.isEmpty()) {
      running.measure();
    }
    return !gone.isEmpty();
  }

  private void end(NodeContainer container, NodeListener.End end) {
    ContainerPlan plan = container.plan();
    running.remove(container);
    sharesValid = false;
    if (container.isBestEffort()) {
      scheduler.ended(
          plan.id(),
          policy.learnsPeaks() ? container.peakBytes() : 0,
          0,
          end != NodeListener.End.COMPLETED);
    }
    listener.ended(plan, end, container.cause(), container.workDoneNanos());
  }

  private boolean killNext() {
    Optional<Killer.Kill> kill =
        killer
            .decide(this, nowNanos)
            .or(() -> mechanism.flatMap(own -> own.decide(this, nowNanos)))
            .or(() -> limit.flatMap(own -> own.decide(running, nowNanos)))
            .or(() -> linuxOomKiller.decide(this, nowNanos));
    kill.ifPresent(
        decided -> {
          decided.container().kill(decided.cause(), nowNanos + decided.releaseNanos());
          sharesValid = false;
          running.measure();
          if (decided.isForMemory()) {
            scheduler.killedForMemory(nowNanos);
          }
          killer.killed(nowNanos);
          mechanism.ifPresent(own -> own.killed(nowNanos));
        });
    return kill.isPresent();
  }

  private void start(ContainerPlan plan) {
    running.add(new NodeContainer(plan, ++containersStarted, nowNanos));
    sharesValid = false;
    countRunnable();
    listener.started(plan);
  }

  /** Each core that a container could use counts as a thread that wants to run. */
  private void countRunnable() {
    if (policy.processorLimits().runnablePerCore() > 0) {
      ProcessorDemand demand = processorDemand();
      scheduler
          .processors()
          .seen(size.cores(), (demand.production() + demand.bestEffort()) / size.cores());
    }
  }

  /** Reads the node's memory at most once per millisecond, as a NodeManager does. */
  private void read() {
    if (nowNanos - readNanos < READING_NANOS) {
      return;
    }
    readNanos = nowNanos;
    if (nowNanos >= nextObservationNanos) {
      nextObservationNanos = nowNanos + observeNanos;
    }
    long launchable = Math.max(0, availableBytes() - policy.keptFreeBytes(size));
    scheduler.observed(
        new NodeMemory(size.memoryBytes(), launchable), running.usedBytes(), nowNanos);
  }

  private void pace() {
    boolean underPressure = running.isUnderPressure();
    List<NodeContainer> containers = running.list();
    double quota = mechanism.map(NodeMechanism::quotaCores).orElse(quotaCores);
    if (!sharesValid || quota != quotaCores || processors.areShared()) {
      shares = processors.shares(containers, quota);
      quotaCores = quota;
      sharesValid = true;
    } else if (pacesValid && !underPressure) {
      // The containers are the same as at the last step, and there was and is no pressure.
      return;
    }
    pacesValid = !underPressure;
    for (int i = 0; i < shares.length; i++) {
      NodeContainer container = containers.get(i);
      if (!container.isDying()) {
        running.pressureOn(container).pace(container, shares[i]);
      }
    }
  }

  private long nextStep() {
    double soonest = running.nanosToEnd(nowNanos);
    if (running.hasBestEffort()) {
      long toObservation = Math.max(READING_NANOS, nextObservationNanos - nowNanos);
      soonest = Math.min(soonest, (double) toObservation);
    }
    if (!waiting.isEmpty()) {
      soonest = Math.min(soonest, (double) waiting.nanosToNextLaunch(nowNanos));
    }
    soonest = Math.min(soonest, running.nanosToLine((double) policy.watchedAvailableBytes(size)));
    soonest = Math.min(soonest, (double) killer.recheckNanos(this));
    soonest = Math.min(soonest, mechanism.map(own -> own.nanosToStep(nowNanos)).orElse(soonest));
    if (limit.isPresent()) {
      soonest = Math.min(soonest, limit.get().nanosToSample(running));
    }
    return Double.isInfinite(soonest) || soonest >= Long.MAX_VALUE - nowNanos
        ? Long.MAX_VALUE
        : nowNanos + Math.max(1, (long) soonest);
  }
}
