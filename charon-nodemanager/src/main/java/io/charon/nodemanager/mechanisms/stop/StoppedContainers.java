/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Freezes or kills running best-effort tasks. It repeats that at every check, because some tasks
 * were about to start when the order came. It thaws only containers that it froze. Thread-safe.
 */
final class StoppedContainers {
  /** Maximum number of kills per check, or 12 a second (our choice): each kill forks a process. */
  static final int MAX_KILLS = 3;

  /** How long a container that could not be frozen is left alone (our choice). */
  static final Duration FAILED = Duration.ofSeconds(10);

  private final Supplier<List<String>> tasks;
  private final Function<String, Phase> phases;
  private final ActionExecutor executor;
  private final LongSupplier nanoClock;
  private final Set<String> frozen = ConcurrentHashMap.newKeySet();
  private final Set<String> killed = new HashSet<>();
  private final Map<String, Long> failedNanos = new HashMap<>();

  /**
   * Creates an instance that has frozen nothing.
   *
   * @param tasks ids of the running best-effort containers, oldest first, without
   *     ApplicationMasters
   * @param phases phase of a container according to YARN; ENDING also if it was killed
   * @param executor freezes and kills
   * @param nanoClock monotonic nanoseconds
   */
  StoppedContainers(
      Supplier<List<String>> tasks,
      Function<String, Phase> phases,
      ActionExecutor executor,
      LongSupplier nanoClock) {
    this.tasks = tasks;
    this.phases = phases;
    this.executor = executor;
    this.nanoClock = nanoClock;
  }

  /** Applies an order to the containers that run now. Must be called by a single thread. */
  void follow(StopOrder order) {
    String reason = order.action().label() + order.origin();
    List<String> running = order.stops() ? tasks.get() : List.of();
    switch (order.action()) {
      case NONE, LEAVE -> thaw(List.copyOf(frozen), reason);
      case FREEZE -> freeze(running, reason);
      case KILL -> kill(running, reason);
    }
    if (order.action() != StopAction.KILL) {
      killed.clear();
    }
    if (order.action() != StopAction.FREEZE) {
      failedNanos.clear();
    }
  }

  /** Returns whether a stop keeps a container frozen, so that no other component may thaw it. */
  boolean isFrozen(String containerId) {
    return frozen.contains(containerId);
  }

  /** Returns the ids of the frozen containers, in order. */
  List<String> frozen() {
    return frozen.stream().sorted().toList();
  }

  /** Returns why an order cannot be carried out here; empty if it can. */
  Optional<String> unavailable(StopOrder order) {
    return order.action() == StopAction.FREEZE ? executor.cannotFreeze() : Optional.empty();
  }

  /** Thaws a container that became production, is ending, or has ended. */
  void release(String containerId) {
    thaw(List.of(containerId), "it is ending, or has become production");
  }

  private void freeze(List<String> running, String reason) {
    thaw(
        frozen.stream()
            .filter(id -> !running.contains(id) || phases.apply(id) == Phase.ENDING)
            .toList(),
        "it is ending, or has become production");
    failedNanos.keySet().retainAll(running);
    if (executor.cannotFreeze().isEmpty()) {
      running.stream()
          .filter(containerId -> !hasFailed(containerId))
          .forEach(containerId -> freeze(containerId, reason));
    }
  }

  private synchronized void freeze(String containerId, String reason) {
    if (phases.apply(containerId) != Phase.RUNNING
        || (isFrozen(containerId) && executor.isFrozen(containerId))) {
      return;
    }
    // Recorded first, so that no other component that freezes and thaws claims the container.
    frozen.add(containerId);
    if (!perform(new Action.Freeze(containerId, basis("freeze", reason)))) {
      frozen.remove(containerId);
      failedNanos.put(containerId, nanoClock.getAsLong());
    }
  }

  /** Returns whether a container could not be frozen a moment ago: each attempt is audited. */
  private boolean hasFailed(String containerId) {
    Long failed = failedNanos.get(containerId);
    return failed != null && nanoClock.getAsLong() - failed < FAILED.toNanos();
  }

  private synchronized void thaw(List<String> containerIds, String reason) {
    for (String containerId : containerIds) {
      if (frozen.contains(containerId)
          && perform(new Action.Thaw(containerId, basis("thaw", reason)))) {
        frozen.remove(containerId);
      }
    }
  }

  private boolean perform(Action action) {
    return executor.perform(NodeStop.NAME, RegulatorMode.ENFORCE, action).done();
  }

  private static Basis basis(String rule, String reason) {
    return new Basis("the node", Map.of(), 0, rule, reason);
  }

  /**
   * Returns false for a container that is starting, which cannot be killed yet, and for one that is
   * already ending.
   */
  private boolean isAlive(String containerId) {
    Phase phase = phases.apply(containerId);
    return phase == Phase.RUNNING || phase == Phase.PAUSED;
  }

  /** Kills running containers; a container that has not ended after a while is killed again. */
  private void kill(List<String> running, String reason) {
    thaw(frozen.stream().filter(id -> !running.contains(id)).toList(), "it has ended");
    killed.retainAll(running);
    running.stream()
        .filter(id -> killed.contains(id) ? !executor.isDying(id) : isAlive(id))
        .limit(MAX_KILLS)
        .toList()
        .forEach(
            containerId -> {
              killed.add(containerId);
              boolean unused =
                  perform(new Action.Kill(containerId, List.of(), basis("kill", reason)));
            });
  }
}
