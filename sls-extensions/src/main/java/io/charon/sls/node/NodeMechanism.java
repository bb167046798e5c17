/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.eviction.EvictionRule.MemoryUse;
import io.charon.core.law.eviction.SatisfactionRule.BestEffortQuota;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.mechanism.WorkingSet;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs a mechanism that a NodeManager runs as well, in mode {@code enforce}. It gets a snapshot of
 * the node at most once a second, like on a NodeManager; its kills are carried out, and its limits
 * of best-effort's CPU time and launches.
 */
public final class NodeMechanism {
  /** The readings that a simulated node has. */
  private static final Set<Class<? extends Reading>> READINGS =
      Set.of(
          MemoryUse.class,
          BestEffortTasks.class,
          LastKill.class,
          NodeReading.class,
          BestEffortQuota.class);

  private static final Set<Limit> LIMITS = Set.of(Limit.CPU_QUOTA, Limit.MEMORY);

  /** The time between two readings, as on a NodeManager. */
  public static final Duration PERIOD = Duration.ofNanos(SimulatedNode.TICK_NANOS);

  private final Mechanism mechanism;
  private final KillDelay delay;
  private final RandomGenerator random;
  private final ProcessorTime processorTime = new ProcessorTime();
  private final Deque<Killer.Kill> decided = new ArrayDeque<>();
  private OptionalLong killedNanos = OptionalLong.empty();
  private OptionalLong askedNanos = OptionalLong.empty();
  private double quotaCores = Double.POSITIVE_INFINITY;
  private OptionalLong launchBytes = OptionalLong.empty();

  /**
   * Creates the mechanism of a node.
   *
   * @param mechanism the mechanism, used by this node alone
   * @param delay time from a decision to kill until the memory is free
   * @param random draws the delays
   * @throws IllegalArgumentException if the mechanism needs readings or limits that a simulated
   *     node lacks
   */
  public NodeMechanism(Mechanism mechanism, KillDelay delay, RandomGenerator random) {
    if (!READINGS.containsAll(mechanism.needs()) || !LIMITS.containsAll(mechanism.limits())) {
      throw new IllegalArgumentException(
          "a simulated node lacks readings or limits of %s, which needs %s and sets %s"
              .formatted(
                  mechanism.name(),
                  mechanism.needs().stream().map(Class::getSimpleName).sorted().toList(),
                  mechanism.limits()));
    }
    this.mechanism = mechanism;
    this.delay = delay;
    this.random = random;
  }

  /** Returns the processor time that best-effort may use, in cores; infinite without a quota. */
  double quotaCores() {
    return quotaCores;
  }

  /**
   * Returns the memory that best-effort may hold after a launch, in bytes.
   *
   * @param other another bound; the smaller one counts
   */
  OptionalLong launchBytes(OptionalLong other) {
    return other.isPresent() && launchBytes.isPresent()
        ? OptionalLong.of(Math.min(other.getAsLong(), launchBytes.getAsLong()))
        : other.isPresent() ? other : launchBytes;
  }

  /** Records which processor time the running containers used; see {@link ProcessorTime#add}. */
  void ran(List<NodeContainer> running, double[] shares, long elapsedNanos) {
    processorTime.add(running, shares, elapsedNanos);
  }

  /** Called when a container of the node is killed, whatever the cause. */
  void killed(long nowNanos) {
    killedNanos = OptionalLong.of(nowNanos);
  }

  /** Asks the mechanism if a second has passed, and returns its next kill. */
  Optional<Killer.Kill> decide(NodeState node, long nowNanos) {
    if (nanosToNext(nowNanos) == 0) {
      askedNanos = OptionalLong.of(nowNanos);
      ask(node, nowNanos);
    }
    return Optional.ofNullable(decided.poll());
  }

  /**
   * Returns the time after which the node has to take a step for this mechanism, in nanoseconds. A
   * mechanism that only needs to know the memory gets its steps from {@link
   * NodePolicy#watchedAvailableBytes}.
   *
   * @return infinite if the node's own steps suffice
   */
  double nanosToStep(long nowNanos) {
    return mechanism.needs().contains(NodeReading.class)
        ? nanosToNext(nowNanos)
        : Double.POSITIVE_INFINITY;
  }

  private long nanosToNext(long nowNanos) {
    return askedNanos.isEmpty()
        ? 0
        : Math.max(0, askedNanos.getAsLong() + SimulatedNode.TICK_NANOS - nowNanos);
  }

  private void ask(NodeState node, long nowNanos) {
    List<NodeContainer> bestEffort =
        node.containers().stream().filter(NodeContainer::isBestEffort).toList();
    long capacity = node.size().memoryBytes();
    Snapshot seen =
        new Snapshot(
            nowNanos,
            new MemoryUse(capacity - node.availableBytes(), capacity),
            new BestEffortTasks(bestEffort.stream().map(NodeMechanism::task).toList()),
            new LastKill(killedNanos),
            reading(node, nowNanos),
            new BestEffortQuota(OptionalDouble.empty()));
    Map<String, NodeContainer> byId =
        bestEffort.stream().collect(Collectors.toMap(one -> one.plan().id(), Function.identity()));
    for (Action action : mechanism.decide(seen)) {
      if (action instanceof Action.Kill kill) {
        kill(kill, byId);
      } else if (action instanceof Action.SetLimit set && set.founded()) {
        limit(set);
      }
    }
  }

  private void limit(Action.SetLimit set) {
    if (set.limit().equals(Limit.CPU_QUOTA)) {
      quotaCores = set.amount();
    } else {
      launchBytes = OptionalLong.of((long) set.amount());
    }
  }

  private NodeReading reading(NodeState node, long nowNanos) {
    NodeSize size = node.size();
    String reason = "a simulated node does not have it";
    Measurement missing = Measurement.missing(reason);
    Cores all = Cores.of(IntStream.range(0, (int) size.cores()).boxed().toList());
    return new NodeReading(
        nowNanos,
        "production",
        new ResourceUse(
            anonymous(node, false), anonymous(node, true), Measurement.ofBytes(size.memoryBytes())),
        processorTime.take(size.cores()),
        new CoreUse(all, all, Optional.empty(), Map.of(), Optional.of(reason)),
        ResourceUse.missing(reason),
        new NodeReading.Health(missing, missing, missing),
        missing);
  }

  private static Measurement anonymous(NodeState node, boolean bestEffort) {
    return Measurement.ofBytes(
        node.containers().stream()
            .filter(container -> container.isBestEffort() == bestEffort)
            .mapToLong(NodeContainer::anonymousBytes)
            .sum());
  }

  private void kill(Action.Kill kill, Map<String, NodeContainer> byId) {
    if (kill.instead().stream().noneMatch(id -> byId.get(id).isDying())) {
      NodeContainer victim = byId.get(kill.target());
      decided.add(
          new Killer.Kill(
              victim,
              mechanism.name(),
              delay.drawNanos(random, victim.anonymousBytes() + victim.fileBytes())));
    }
  }

  /**
   * As on a NodeManager, the working set has no page cache, and a container has one vcore, as with
   * YARN's default.
   */
  private static BestEffortTasks.Task task(NodeContainer container) {
    return new BestEffortTasks.Task(
        container.plan().id(),
        WorkingSet.of(container.anonymousBytes()),
        container.isDying(),
        0,
        1,
        true);
  }
}
