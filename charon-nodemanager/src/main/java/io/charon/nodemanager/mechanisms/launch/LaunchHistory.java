/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.QueueWaitEstimator;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * What a launch gate remembers of its decisions: since when and why containers wait, how long that
 * takes, and the last decisions for people to read. Not thread-safe.
 */
final class LaunchHistory {
  /** Decisions kept for people to read (ours). */
  private static final int RECENT_DECISIONS = 50;

  private record Queued(long sinceNanos, LaunchVerdict.Reason reason) {}

  private final Clock clock;
  private final LongConsumer launchWaitNanos;
  private final Map<String, Queued> queued = new HashMap<>();
  private final Deque<LaunchView.Dated> recent = new ArrayDeque<>();
  private final QueueWaitEstimator queueWait = new QueueWaitEstimator();

  /**
   * Remembers nothing yet.
   *
   * @param clock for the times that people read
   * @param launchWaitNanos told how long each best-effort container waited that is launched
   */
  LaunchHistory(Clock clock, LongConsumer launchWaitNanos) {
    this.clock = clock;
    this.launchWaitNanos = launchWaitNanos;
  }

  /**
   * It was decided on a container that does not run.
   *
   * @return whether that is news: one that waits on for the same reason is none
   */
  boolean decided(LaunchRequest request, LaunchDecision decision, long nowNanos) {
    LaunchVerdict.Reason reason = decision.verdict().reason();
    Queued before = queued.get(request.containerId());
    if (decision.outcome() == LaunchDecision.Outcome.QUEUED) {
      if (before != null && before.reason() == reason) {
        return false;
      }
      if (queued.isEmpty()) {
        queueWait.firstQueued(nowNanos);
      }
      queued.put(
          request.containerId(),
          new Queued(before == null ? nowNanos : before.sinceNanos(), reason));
    } else {
      queued.remove(request.containerId());
      if (decision.outcome() == LaunchDecision.Outcome.LAUNCHED) {
        launched(request, before, nowNanos);
      }
    }
    if (recent.size() == RECENT_DECISIONS) {
      recent.removeFirst();
    }
    recent.addLast(new LaunchView.Dated(clock.instant(), decision));
    return true;
  }

  private void launched(LaunchRequest request, Queued before, long nowNanos) {
    if (request.executionType() == ExecutionType.OPPORTUNISTIC) {
      launchWaitNanos.accept(before == null ? 0 : nowNanos - before.sinceNanos());
    }
    if (before != null) {
      queueWait.startedFromQueue(nowNanos);
    }
  }

  /** Why a container that waits does. */
  LaunchVerdict.Reason reason(String containerId) {
    return queued.get(containerId).reason();
  }

  /** A container that waits, for people to read. */
  LaunchView.Waiting waiting(LaunchRequest request, long nowNanos) {
    Queued since = queued.get(request.containerId());
    return new LaunchView.Waiting(request, nowNanos - since.sinceNanos(), since.reason());
  }

  /** A container waits no more. */
  void forget(String containerId) {
    queued.remove(containerId);
  }

  /** Nobody waits any more. */
  void forgetWaiting() {
    queued.clear();
  }

  /**
   * How long one that came now would wait, at most a day.
   *
   * @param delayNanos how long launches are still delayed
   * @param launchableShare of the node's memory that a launch may need
   */
  Duration estimatedWait(long delayNanos, double launchableShare, long nowNanos) {
    return queueWait.estimate(queued.size(), delayNanos, launchableShare, nowNanos);
  }

  /** The decision by which a container was launched, if it is among the last ones. */
  Optional<LaunchDecision> launched(String containerId) {
    return recent.stream()
        .map(LaunchView.Dated::decision)
        .filter(decision -> decision.containerId().equals(containerId))
        .filter(decision -> decision.outcome() == LaunchDecision.Outcome.LAUNCHED)
        .findFirst();
  }

  /** The last decisions, newest last. */
  List<LaunchView.Dated> recent() {
    return List.copyOf(recent);
  }
}
