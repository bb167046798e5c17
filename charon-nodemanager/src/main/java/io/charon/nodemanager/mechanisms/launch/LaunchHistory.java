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
 * The decisions that a launch gate remembers: since when and why containers wait, how long waits
 * are, and the recent decisions for status pages. Not thread-safe.
 */
final class LaunchHistory {
  /** Number of recent decisions kept (our choice). */
  private static final int RECENT_DECISIONS = 50;

  private record Queued(long sinceNanos, LaunchVerdict.Reason reason) {}

  private final Clock clock;
  private final LongConsumer launchWaitNanos;
  private final Map<String, Queued> queued = new HashMap<>();
  private final Deque<LaunchView.Dated> recent = new ArrayDeque<>();
  private final QueueWaitEstimator queueWait = new QueueWaitEstimator();

  /**
   * Creates an empty history.
   *
   * @param clock for displayed times
   * @param launchWaitNanos receives the wait of each launched best-effort container
   */
  LaunchHistory(Clock clock, LongConsumer launchWaitNanos) {
    this.clock = clock;
    this.launchWaitNanos = launchWaitNanos;
  }

  /**
   * Records a decision about a container that does not run.
   *
   * @return whether the decision is new; false if the container continues to wait for the same
   *     reason
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

  /** Returns why a waiting container waits. */
  LaunchVerdict.Reason reason(String containerId) {
    return queued.get(containerId).reason();
  }

  /** Returns a waiting container with its wait, for status pages. */
  LaunchView.Waiting waiting(LaunchRequest request, long nowNanos) {
    Queued since = queued.get(request.containerId());
    return new LaunchView.Waiting(request, nowNanos - since.sinceNanos(), since.reason());
  }

  /** Forgets a container that no longer waits. */
  void forget(String containerId) {
    queued.remove(containerId);
  }

  /** Forgets all waiting containers. */
  void forgetWaiting() {
    queued.clear();
  }

  /**
   * Returns how long a new container would wait, at most a day.
   *
   * @param delayNanos how long launches are still delayed
   * @param launchableShare share of the node's memory that a launch may use
   */
  Duration estimatedWait(long delayNanos, double launchableShare, long nowNanos) {
    return queueWait.estimate(queued.size(), delayNanos, launchableShare, nowNanos);
  }

  /** Returns the decision that launched a container, if it is among the recent ones. */
  Optional<LaunchDecision> launched(String containerId) {
    return recent.stream()
        .map(LaunchView.Dated::decision)
        .filter(decision -> decision.containerId().equals(containerId))
        .filter(decision -> decision.outcome() == LaunchDecision.Outcome.LAUNCHED)
        .findFirst();
  }

  /** Returns the recent decisions, newest last. */
  List<LaunchView.Dated> recent() {
    return List.copyOf(recent);
  }
}
