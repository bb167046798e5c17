/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.mechanisms.freeze.Phase;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Freezes or kills the best-effort tasks that run, again with every look: some were about to start
 * when the order came. Only what it froze itself goes on again. Thread-safe.
 */
final class StoppedContainers {
  /** Kills in one look, 12 a second (ours): each forks a process on the NodeManager's machine. */
  static final int MOST_KILLS = 3;

  private final Supplier<List<String>> tasks;
  private final Function<String, Phase> phases;
  private final StopActions actions;
  private final StopAudit audit;
  private final LongSupplier nanoClock;
  private final Set<String> frozen = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> killedNanos = new HashMap<>();

  /**
   * Nobody is frozen yet.
   *
   * @param tasks ids of the best-effort containers that run, oldest first, without
   *     ApplicationMasters
   * @param phases where a container is in YARN's eyes; ENDING also of one that somebody killed
   * @param actions freezes and kills
   * @param audit told of everything
   * @param nanoClock monotonic nanoseconds
   */
  StoppedContainers(
      Supplier<List<String>> tasks,
      Function<String, Phase> phases,
      StopActions actions,
      StopAudit audit,
      LongSupplier nanoClock) {
    this.tasks = tasks;
    this.phases = phases;
    this.actions = actions;
    this.audit = audit;
    this.nanoClock = nanoClock;
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
      killedNanos.clear();
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
    return order.action() == StopAction.FREEZE ? actions.cannotFreeze() : Optional.empty();
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
    if (actions.cannotFreeze().isEmpty()) {
      running.forEach(containerId -> freeze(containerId, reason));
    }
  }

  private synchronized void freeze(String containerId, String reason) {
    try {
      if (phases.apply(containerId) != Phase.RUNNING
          || (isFrozen(containerId) && actions.isFrozen(containerId))) {
        return;
      }
      // First, so that nobody else who freezes and thaws takes it for his.
      frozen.add(containerId);
      actions.freeze(containerId);
      audit.write("freeze", containerId, "applied: frozen", reason);
    } catch (IOException e) {
      frozen.remove(containerId);
      audit.write("freeze", containerId, "failed: " + e, reason);
    }
  }

  private synchronized void thaw(List<String> containerIds, String reason) {
    for (String containerId : containerIds) {
      if (frozen.contains(containerId)) {
        try {
          actions.thaw(containerId);
          frozen.remove(containerId);
          audit.write("thaw", containerId, "applied: it goes on", reason);
        } catch (IOException e) {
          audit.write("thaw", containerId, "failed: " + e, reason);
        }
      }
    }
  }

  private boolean isOverdue(String containerId, long nowNanos) {
    return nowNanos - killedNanos.get(containerId) > DyingContainers.GRACE.toNanos();
  }

  /** Not that starts, which cannot be killed yet, nor that another killer has in hand. */
  private boolean isAlive(String containerId) {
    Phase phase = phases.apply(containerId);
    return phase == Phase.RUNNING || phase == Phase.PAUSED;
  }

  /** One that is not gone after a while is tried again. */
  private void kill(List<String> running, String reason) {
    thaw(frozen.stream().filter(id -> !running.contains(id)).toList(), "it is gone");
    killedNanos.keySet().retainAll(running);
    long now = nanoClock.getAsLong();
    running.stream()
        .filter(id -> killedNanos.containsKey(id) ? isOverdue(id, now) : isAlive(id))
        .limit(MOST_KILLS)
        .toList()
        .forEach(
            containerId -> {
              killedNanos.put(containerId, now);
              String result = "applied: killed";
              try {
                actions.kill(containerId, reason);
              } catch (IOException e) {
                result = "failed: " + e;
              }
              audit.write("kill", containerId, result, reason);
            });
  }
}
