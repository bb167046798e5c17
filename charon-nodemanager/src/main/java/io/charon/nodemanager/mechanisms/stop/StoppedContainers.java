/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Basis;
import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.mechanisms.freeze.Phase;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Freezes or kills the best-effort tasks that run, again with every look: some were about to start
 * when the order came. Only what it froze itself goes on again. Thread-safe.
 */
final class StoppedContainers {
  /** Kills in one look, 12 a second (ours): each forks a process on the NodeManager's machine. */
  static final int MAX_KILLS = 3;

  private final Supplier<List<String>> tasks;
  private final Function<String, Phase> phases;
  private final ActionExecutor executor;
  private final Set<String> frozen = ConcurrentHashMap.newKeySet();
  private final Set<String> killed = new HashSet<>();

  /**
   * Nobody is frozen yet.
   *
   * @param tasks ids of the best-effort containers that run, oldest first, without
   *     ApplicationMasters
   * @param phases where a container is in YARN's eyes; ENDING also of one that somebody killed
   * @param executor freezes and kills
   */
  StoppedContainers(
      Supplier<List<String>> tasks, Function<String, Phase> phases, ActionExecutor executor) {
    this.tasks = tasks;
    this.phases = phases;
    this.executor = executor;
  }

  /** Does what the order says to whoever runs now. For one thread. */
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
  }

  /** Whether a stop keeps a container frozen, so that nobody else may let it go on. */
  boolean isFrozen(String containerId) {
    return frozen.contains(containerId);
  }

  /** How many stand still. */
  int frozen() {
    return frozen.size();
  }

  /** Why what is ordered cannot be done here. */
  Optional<String> unavailable(StopOrder order) {
    return order.action() == StopAction.FREEZE ? executor.cannotFreeze() : Optional.empty();
  }

  /** A container is production now, is to end, or is gone: nothing may keep it frozen. */
  void release(String containerId) {
    thaw(List.of(containerId), "it ends, or is production");
  }

  private void freeze(List<String> running, String reason) {
    thaw(
        frozen.stream()
            .filter(id -> !running.contains(id) || phases.apply(id) == Phase.ENDING)
            .toList(),
        "it ends, or is production");
    if (executor.cannotFreeze().isEmpty()) {
      running.forEach(containerId -> freeze(containerId, reason));
    }
  }

  private synchronized void freeze(String containerId, String reason) {
    if (phases.apply(containerId) != Phase.RUNNING
        || (isFrozen(containerId) && executor.isFrozen(containerId))) {
      return;
    }
    // First, so that nobody else who freezes and thaws takes it for his.
    frozen.add(containerId);
    if (!perform(new Action.Freeze(containerId, basis("freeze", reason)))) {
      frozen.remove(containerId);
    }
  }

  private synchronized void thaw(List<String> containerIds, String reason) {
    for (String containerId : containerIds) {
      if (frozen.contains(containerId)
          && perform(new Action.Thaw(containerId, "thaw", basis("thaw", reason)))) {
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

  /** Not that starts, which cannot be killed yet, nor that another killer has in hand. */
  private boolean isAlive(String containerId) {
    Phase phase = phases.apply(containerId);
    return phase == Phase.RUNNING || phase == Phase.PAUSED;
  }

  /** One that is not gone after a while is tried again. */
  private void kill(List<String> running, String reason) {
    thaw(frozen.stream().filter(id -> !running.contains(id)).toList(), "it is gone");
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
