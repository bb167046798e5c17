/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A bounded queue of waiting best-effort containers (paper, section 4). */
public final class LaunchQueue {
  private final int limit;
  private final QueueOrder order;
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  /**
   * Creates an empty queue in the paper's order: first come, first served.
   *
   * @param limit maximum number of waiting containers, 0 or more (paper: 5 on a cluster, 10 in
   *     simulation)
   */
  public LaunchQueue(int limit) {
    this(limit, new FirstComeFirstServed());
  }

  /**
   * Creates an empty queue.
   *
   * @param limit maximum number of waiting containers, 0 or more (paper: 5 on a cluster, 10 in
   *     simulation)
   * @param order the order in which containers start
   */
  public LaunchQueue(int limit, QueueOrder order) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative, got " + limit);
    }
    this.limit = limit;
    this.order = Objects.requireNonNull(order, "order");
  }

  /**
   * Adds a container. If it already waits, it keeps its place, and its latest request counts.
   *
   * @param nowNanos the current time
   * @return false if the queue is full; the container is then rejected
   */
  public boolean offer(LaunchRequest request, long nowNanos) {
    Waiting before = waiting.get(request.containerId());
    if (before == null && waiting.size() >= limit) {
      return false;
    }
    waiting.put(
        request.containerId(),
        new Waiting(request, before == null ? nowNanos : before.sinceNanos()));
    return true;
  }

  /**
   * Returns the container that starts next: the first that could fit, or if none could, the first.
   *
   * @param couldFit whether a container could start if no other best-effort container ran
   * @param claims the memory that owners hold and containers would get
   * @param nowNanos the current time
   */
  public Optional<LaunchRequest> first(
      Predicate<LaunchRequest> couldFit, Claims claims, long nowNanos) {
    Optional<LaunchRequest> first = firstOf(waiting.values(), claims, nowNanos);
    if (first.isEmpty() || couldFit.test(first.get())) {
      return first;
    }
    List<Waiting> fitting =
        waiting.values().stream().filter(each -> couldFit.test(each.request())).toList();
    return firstOf(fitting, claims, nowNanos).or(() -> first);
  }

  /**
   * Returns whether another waiting container starts before the given one.
   *
   * @param request the container, which may wait already
   * @param couldFit whether a container could start if no other best-effort container ran; one that
   *     could not holds up no other
   * @param claims the memory that owners hold and containers would get
   * @param nowNanos the current time
   */
  public boolean isBehindAnother(
      LaunchRequest request, Predicate<LaunchRequest> couldFit, Claims claims, long nowNanos) {
    Collection<Waiting> candidates = waiting.values();
    if (!contains(request.containerId())) {
      candidates = new ArrayList<>(candidates);
      candidates.add(new Waiting(request, nowNanos));
    }
    LaunchRequest first = firstOf(candidates, claims, nowNanos).orElseThrow();
    if (first.containerId().equals(request.containerId())) {
      return false;
    }
    if (couldFit.test(first)) {
      return true;
    }
    List<Waiting> fitting =
        candidates.stream()
            .filter(
                each ->
                    each.request().containerId().equals(request.containerId())
                        || couldFit.test(each.request()))
            .toList();
    return !firstOf(fitting, claims, nowNanos)
        .orElseThrow()
        .containerId()
        .equals(request.containerId());
  }

  /**
   * Returns the container that would lose its place to a new one in a full queue; changes nothing.
   *
   * @return empty if there is none
   */
  public Optional<LaunchRequest> displacedBy(LaunchRequest newContainer) {
    return order.displacedBy(newContainer, waiting.values());
  }

  /** Returns whether a full queue may accept a new container in exchange for a waiting one. */
  public boolean canDisplace() {
    return order.canDisplace(waiting.values());
  }

  /**
   * Removes a container, at any position.
   *
   * @return whether it was waiting
   */
  public boolean remove(String containerId) {
    return waiting.remove(containerId) != null;
  }

  /**
   * Returns the waiting containers in the order in which to ask for their start: those that could
   * fit come before the others, so that the first one is that of {@link #first}.
   *
   * @param couldFit whether a container could start if no other best-effort container ran
   * @param claims the memory that owners hold and containers would get
   * @param nowNanos the current time
   */
  public List<LaunchRequest> startOrder(
      Predicate<LaunchRequest> couldFit, Claims claims, long nowNanos) {
    Map<Boolean, List<Waiting>> byFit =
        waiting.values().stream()
            .collect(Collectors.partitioningBy(each -> couldFit.test(each.request())));
    return Stream.of(true, false)
        .flatMap(fits -> order.inOrder(byFit.get(fits), claims, nowNanos).stream())
        .map(Waiting::request)
        .toList();
  }

  /**
   * Returns the waiting containers in the order in which they start if all could fit.
   *
   * @param claims the memory that owners hold and containers would get
   * @param nowNanos the current time
   */
  public List<LaunchRequest> waiting(Claims claims, long nowNanos) {
    return order.inOrder(waiting.values(), claims, nowNanos).stream()
        .map(Waiting::request)
        .toList();
  }

  /**
   * Returns the containers that have waited at least this long, in order of arrival.
   *
   * @param nanos the minimum waiting time
   * @param nowNanos the current time
   */
  public List<LaunchRequest> waitingFor(long nanos, long nowNanos) {
    return waiting.values().stream()
        .filter(each -> nowNanos - each.sinceNanos() >= nanos)
        .map(Waiting::request)
        .toList();
  }

  /** Returns whether a container waits. */
  public boolean contains(String containerId) {
    return waiting.containsKey(containerId);
  }

  /** Returns the number of waiting containers. */
  public int size() {
    return waiting.size();
  }

  private Optional<LaunchRequest> firstOf(
      Collection<Waiting> candidates, Claims claims, long nowNanos) {
    return order.first(candidates, claims, nowNanos).map(Waiting::request);
  }
}
