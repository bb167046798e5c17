/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.scheduler.FullQueue;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.LocalScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The best-effort containers that wait on a simulated node, and the order of their launches. */
final class WaitingContainers {
  private final LocalScheduler scheduler;
  private final LaunchPolicy launches;
  private final NodePolicy policy;
  private final NodeListener listener;
  private final Consumer<ContainerPlan> start;
  private final Map<String, ContainerPlan> plans = new HashMap<>();
  private final FullQueue fullQueue = new FullQueue();
  private LaunchVerdict lastVerdict;

  /**
   * Creates an empty queue.
   *
   * @param scheduler decides about each launch
   * @param launches the launch policy of that scheduler
   * @param policy what is known about containers, and how long they may wait
   * @param listener receives the containers that leave without a start
   * @param start starts a container
   */
  WaitingContainers(
      LocalScheduler scheduler,
      LaunchPolicy launches,
      NodePolicy policy,
      NodeListener listener,
      Consumer<ContainerPlan> start) {
    this.scheduler = scheduler;
    this.launches = launches;
    this.policy = policy;
    this.listener = listener;
    this.start = start;
  }

  boolean isEmpty() {
    return plans.isEmpty();
  }

  int count() {
    return plans.size();
  }

  /** Returns the plan of a waiting container; null if it does not wait. */
  ContainerPlan plan(String containerId) {
    return plans.get(containerId);
  }

  /** Returns whether a full queue may accept a new container by displacing a waiting one. */
  boolean canDisplace(long nowNanos) {
    return policy.displaces() && !isClosed(nowNanos) && scheduler.canDisplace();
  }

  /** Returns whether a full queue takes none now, because the last one could displace nobody. */
  boolean isClosed(long nowNanos) {
    return policy.displaces() && fullQueue.isClosed(nowNanos);
  }

  /** Requests the start of a best-effort container. */
  LaunchDecision.Outcome request(ContainerPlan plan, long nowNanos) {
    plans.put(plan.id(), plan);
    LaunchRequest request =
        policy.knowsPeaks() ? plan.requestOfPeak() : plan.request(policy.knowsNames());
    LaunchDecision decision = scheduler.request(request, nowNanos);
    if (decision.outcome() == LaunchDecision.Outcome.REJECTED && displaceFor(request)) {
      decision = scheduler.request(request, nowNanos);
    }
    fullQueue.arrived(decision.outcome() != LaunchDecision.Outcome.REJECTED, nowNanos);
    lastVerdict = decision.verdict();
    switch (decision.outcome()) {
      case LAUNCHED -> start(plan.id());
      case REJECTED -> plans.remove(plan.id());
      case QUEUED -> {}
    }
    return decision.outcome();
  }

  private boolean displaceFor(LaunchRequest request) {
    Optional<LaunchRequest> other =
        policy.displaces() ? scheduler.displacedBy(request) : Optional.empty();
    other.ifPresent(displaced -> listener.displaced(take(displaced.containerId())));
    return other.isPresent();
  }

  /** Removes a container that its application does not need any more. */
  void withdraw(String containerId) {
    listener.withdrawn(take(containerId));
  }

  /** Launches what the policy permits now. */
  void launch(long nowNanos) {
    if (policy.isOracle()) {
      launchAnyThatFit(nowNanos);
      return;
    }
    while (!plans.isEmpty()) {
      LaunchDecision decision = scheduler.startFirst(nowNanos).orElseThrow();
      lastVerdict = decision.verdict();
      if (decision.outcome() != LaunchDecision.Outcome.LAUNCHED) {
        policy.longestWait().ifPresent(longest -> handBack(longest, nowNanos));
        return;
      }
      start(decision.containerId());
    }
  }

  private void handBack(Duration longestWait, long nowNanos) {
    for (LaunchRequest waited : scheduler.waitingFor(longestWait, nowNanos)) {
      listener.handedBack(take(waited.containerId()));
    }
  }

  /**
   * Launches regardless of the order of arrival: the container that ends soonest comes first, and
   * one that does not fit does not hold up the others.
   */
  private void launchAnyThatFit(long nowNanos) {
    List<LaunchRequest> bySoonestEnd = new ArrayList<>(scheduler.waiting(nowNanos));
    if (!anyFits(bySoonestEnd, nowNanos)) {
      return;
    }
    bySoonestEnd.sort(
        Comparator.comparingDouble(request -> plans.get(request.containerId()).work().runNanos()));
    bySoonestEnd.forEach(request -> scheduler.ended(request.containerId(), 0));
    List<LaunchRequest> passedOver = new ArrayList<>();
    for (LaunchRequest request : bySoonestEnd) {
      LaunchDecision decision = scheduler.request(request, nowNanos);
      lastVerdict = decision.verdict();
      if (decision.outcome() == LaunchDecision.Outcome.LAUNCHED) {
        start(request.containerId());
      } else {
        scheduler.ended(request.containerId(), 0);
        passedOver.add(request);
      }
    }
    passedOver.forEach(request -> scheduler.request(request, nowNanos));
  }

  private boolean anyFits(List<LaunchRequest> requests, long nowNanos) {
    for (LaunchRequest request : requests) {
      lastVerdict = launches.judge(request, request.requestedBytes(), nowNanos);
      if (lastVerdict.launch()) {
        return true;
      }
    }
    return false;
  }

  /** The scheduler counts the container as running already. */
  private void start(String containerId) {
    start.accept(plans.remove(containerId));
  }

  private ContainerPlan take(String containerId) {
    scheduler.ended(containerId, 0);
    return plans.remove(containerId);
  }

  /**
   * Returns the time after which the next launch has to be tried if nothing changes, in
   * nanoseconds.
   */
  long nanosToNextLaunch(long nowNanos) {
    return switch (lastVerdict.reason()) {
      case ONE_AT_A_TIME -> SimulatedNode.READING_NANOS;
      case DELAYED_AFTER_KILL ->
          Math.min(SimulatedNode.TICK_NANOS, scheduler.delayedUntilNanos(nowNanos) - nowNanos);
      default -> SimulatedNode.TICK_NANOS;
    };
  }

  /**
   * Checks that the scheduler counts the same containers.
   *
   * @throws IllegalStateException if it does not
   */
  void checkInvariants() {
    if (scheduler.waitingCount() != plans.size()) {
      throw new IllegalStateException(
          "%d containers wait, but the local scheduler counts %d"
              .formatted(plans.size(), scheduler.waitingCount()));
    }
  }
}
