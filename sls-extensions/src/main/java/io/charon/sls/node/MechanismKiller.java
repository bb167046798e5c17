/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.law.eviction.EvictionRule.MemoryUse;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.mechanism.WorkingSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Runs a mechanism that a NodeManager runs as well, and carries out its kills. It gets a snapshot
 * of the node at most once a second, like on a NodeManager, and acts after the policy's own killer.
 */
public final class MechanismKiller implements Killer {
  /** The readings that a simulated node has. */
  private static final Set<Class<? extends Reading>> READINGS =
      Set.of(MemoryUse.class, BestEffortTasks.class, LastKill.class);

  private final Killer killer;
  private final Mechanism mechanism;
  private final KillDelay delay;
  private final RandomGenerator random;
  private final Deque<Kill> decided = new ArrayDeque<>();
  private OptionalLong killedNanos = OptionalLong.empty();
  private OptionalLong askedNanos = OptionalLong.empty();

  /**
   * Creates the killer of a node.
   *
   * @param killer the policy's own killer
   * @param mechanism the mechanism, used by this node alone
   * @param delay time from the mechanism's decision until the memory is free
   * @param random draws the delays
   * @throws IllegalArgumentException if the mechanism needs readings that a simulated node lacks,
   *     or sets limits
   */
  public MechanismKiller(
      Killer killer, Mechanism mechanism, KillDelay delay, RandomGenerator random) {
    if (!READINGS.containsAll(mechanism.needs()) || !mechanism.limits().isEmpty()) {
      throw new IllegalArgumentException(
          "a simulated node has no readings or limits for " + mechanism.name());
    }
    this.killer = killer;
    this.mechanism = mechanism;
    this.delay = delay;
    this.random = random;
  }

  @Override
  public void productionStarts(long requestedBytes) {
    killer.productionStarts(requestedBytes);
  }

  @Override
  public void killed(long nowNanos) {
    killedNanos = OptionalLong.of(nowNanos);
    killer.killed(nowNanos);
  }

  @Override
  public Optional<Kill> decide(NodeState node, long nowNanos) {
    Optional<Kill> own = killer.decide(node, nowNanos);
    if (own.isPresent()) {
      return own;
    }
    if (askedNanos.isEmpty() || nowNanos - askedNanos.getAsLong() >= SimulatedNode.TICK_NANOS) {
      askedNanos = OptionalLong.of(nowNanos);
      ask(node, nowNanos);
    }
    return Optional.ofNullable(decided.poll());
  }

  private void ask(NodeState node, long nowNanos) {
    List<NodeContainer> bestEffort =
        node.containers().stream().filter(NodeContainer::isBestEffort).toList();
    Map<String, NodeContainer> byId =
        bestEffort.stream().collect(Collectors.toMap(one -> one.plan().id(), Function.identity()));
    long capacity = node.size().memoryBytes();
    Snapshot seen =
        new Snapshot(
            nowNanos,
            new MemoryUse(capacity - node.availableBytes(), capacity),
            new BestEffortTasks(bestEffort.stream().map(MechanismKiller::task).toList()),
            new LastKill(killedNanos));
    for (Action action : mechanism.decide(seen)) {
      if (action instanceof Action.Kill kill
          && kill.instead().stream().noneMatch(id -> byId.get(id).isDying())) {
        NodeContainer victim = byId.get(kill.target());
        decided.add(
            new Kill(
                victim, mechanism.name(), delay.drawNanos(random, task(victim).releasedBytes())));
      }
    }
  }

  private static BestEffortTasks.Task task(NodeContainer container) {
    return new BestEffortTasks.Task(
        container.plan().id(),
        WorkingSet.of(container.anonymousBytes() + container.fileBytes()),
        container.isDying(),
        0,
        1,
        true);
  }

  /** The node takes a step when its memory reaches the watched line, and every second above it. */
  @Override
  public long recheckNanos(NodeState node) {
    return killer.recheckNanos(node);
  }
}
