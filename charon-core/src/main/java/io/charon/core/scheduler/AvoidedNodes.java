/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * The nodes that recently rejected or killed best-effort containers of an application. Each is
 * avoided for a limited time, and only a limited number at the same time.
 */
public final class AvoidedNodes {

  private record Avoided(String host, long untilNanos) {}

  /** Ordered by the end of their time, the earliest first. */
  private final Deque<Avoided> nodes = new ArrayDeque<>();

  /**
   * Avoids a node from now on.
   *
   * @param host the node's host
   * @param nowNanos monotonic time
   * @param avoidNanos how long to avoid it
   * @param most maximum number of nodes to avoid; the oldest ones are dropped for the newest
   */
  public void add(String host, long nowNanos, long avoidNanos, int most) {
    nodes.removeIf(node -> node.host().equals(host));
    nodes.addLast(new Avoided(host, nowNanos + avoidNanos));
    shorten(most);
  }

  /**
   * Returns the hosts to avoid now.
   *
   * @param nowNanos monotonic time
   * @param most maximum number of nodes to avoid
   */
  public Set<String> hosts(long nowNanos, int most) {
    nodes.removeIf(node -> nowNanos - node.untilNanos() >= 0);
    shorten(most);
    Set<String> hosts = new HashSet<>();
    nodes.forEach(node -> hosts.add(node.host()));
    return hosts;
  }

  /**
   * Returns how many nodes may be avoided at once: half of them, so that some remain even if all
   * evict containers.
   *
   * @param nodes number of nodes from which YARN's allocator chooses
   */
  public static int most(int nodes) {
    return nodes / 2;
  }

  private void shorten(int most) {
    while (nodes.size() > most) {
      nodes.removeFirst();
    }
  }
}
