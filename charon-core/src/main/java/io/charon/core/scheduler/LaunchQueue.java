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

/** Best-effort containers that wait, up to a limit (paper, section 4). */
public final class LaunchQueue {
  private final int limit;
  private final QueueOrder order;
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  /**
   * Creates an empty queue in the paper's order: first come, first served.
   *
   * @param limit containers that may wait, 0 or more (paper: 5 on a cluster, 10 in simulation)
   */
  public LaunchQueue(int limit) {
    this(limit, new FirstComeFirstServed());
  }

  /**
   * Creates an empty queue.
   *
   * @param limit containers that may wait, 0 or more (paper: 5 on a cluster, 10 in simulation)
   * @param order who starts first
   */
  public LaunchQueue(int limit, QueueOrder order) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative, got " + limit);
    }
    this.limit = limit;
    this.order = Objects.requireNonNull(order, "order");
  }

  /**
   * Adds a container. One that waits already keeps its place, and its latest request counts.
   *
   * @param nowNanos now
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
   * The container that starts next.
   *
   * @param claims what the owners hold and would hold
   * @param nowNanos now
   */
  public Optional<LaunchRequest> first(Claims claims, long nowNanos) {
    return firstOf(waiting.values(), claims, nowNanos);
  }

  /**
   * Whether a container starts after another one that waits.
   *
   * @param request the container, which may wait already
   * @param claims what the owners hold and would hold
   * @param nowNanos now
   */
  public boolean isBehindAnother(LaunchRequest request, Claims claims, long nowNanos) {
    if (waiting.isEmpty()) {
      return false;
    }
    Collection<Waiting> candidates = waiting.values();
    if (!contains(request.containerId())) {
      candidates = new ArrayList<>(candidates);
      candidates.add(new Waiting(request, nowNanos));
    }
    return firstOf(candidates, claims, nowNanos)
        .filter(first -> !first.containerId().equals(request.containerId()))
        .isPresent();
  }

  /**
   * Who gives its place to a newcomer if the queue is full; changes nothing.
   *
   * @return empty if nobody does
   */
  public Optional<LaunchRequest> givesWay(LaunchRequest newcomer) {
    return order.givesWay(newcomer, waiting.values());
  }

  /** Whether a full queue may take a newcomer nevertheless. */
  public boolean givesWay() {
    return order.givesWay();
  }

  /**
   * Takes a container out, from wherever it stands.
   *
   * @return whether it waited
   */
  public boolean remove(String containerId) {
    return waiting.remove(containerId) != null;
  }

  /**
   * Those that wait, first to start first.
   *
   * @param claims what the owners hold and would hold
   * @param nowNanos now
   */
  public List<LaunchRequest> waiting(Claims claims, long nowNanos) {
    return order.inOrder(waiting.values(), claims, nowNanos).stream()
        .map(Waiting::request)
        .toList();
  }

  /**
   * Those that have waited for some time or longer, in order of arrival.
   *
   * @param nanos how long
   * @param nowNanos now
   */
  public List<LaunchRequest> waitingFor(long nanos, long nowNanos) {
    return waiting.values().stream()
        .filter(each -> nowNanos - each.sinceNanos() >= nanos)
        .map(Waiting::request)
        .toList();
  }

  /** Whether a container waits. */
  public boolean contains(String containerId) {
    return waiting.containsKey(containerId);
  }

  /** How many wait. */
  public int size() {
    return waiting.size();
  }

  /** Whether nobody waits. */
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  private Optional<LaunchRequest> firstOf(
      Collection<Waiting> candidates, Claims claims, long nowNanos) {
    return order.first(candidates, claims, nowNanos).map(Waiting::request);
  }
}
