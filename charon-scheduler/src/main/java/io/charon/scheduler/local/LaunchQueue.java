/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.local;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Best-effort containers that wait, first come first served, up to a limit (paper, section 4). */
public final class LaunchQueue {
  private final int limit;
  private final Map<String, LaunchRequest> waiting = new LinkedHashMap<>();

  /**
   * Creates an empty queue.
   *
   * @param limit containers that may wait, 0 or more (paper: 5 on a cluster, 10 in simulation)
   */
  public LaunchQueue(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative, got " + limit);
    }
    this.limit = limit;
  }

  /**
   * Adds a container at the end. One that waits already keeps its place, and its latest request
   * counts.
   *
   * @return false if the queue is full; the container is then rejected
   */
  public boolean offer(LaunchRequest request) {
    if (!waiting.containsKey(request.containerId()) && waiting.size() >= limit) {
      return false;
    }
    waiting.put(request.containerId(), request);
    return true;
  }

  /** The container that starts next. */
  public Optional<LaunchRequest> first() {
    return waiting.values().stream().findFirst();
  }

  /**
   * Takes a container out, from wherever it stands.
   *
   * @return whether it waited
   */
  public boolean remove(String containerId) {
    return waiting.remove(containerId) != null;
  }

  /** Those that wait, first to start first. */
  public List<LaunchRequest> waiting() {
    return new ArrayList<>(waiting.values());
  }
}
