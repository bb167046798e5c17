/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * The nodes that recently rejected or killed best-effort containers of an application. Each is
 * avoided for a limited time, and only a limited number at the same time.
 */
final class AvoidedNodes {

  private record Avoided(String host, long untilNanos) {}

  /** Ordered by the end of their time, the earliest first. */
  private final Deque<Avoided> nodes = new ArrayDeque<>();

  /**
   * Avoids a node from now on.
   *
   * @param most maximum number of nodes to avoid; the oldest ones are dropped for the newest
   */
  void add(String host, long nowNanos, long avoidNanos, int most) {
    nodes.removeIf(node -> node.host().equals(host));
    nodes.addLast(new Avoided(host, nowNanos + avoidNanos));
    shorten(most);
  }

  /** Returns the hosts to avoid now, at most {@code most}. */
  Set<String> hosts(long nowNanos, int most) {
    nodes.removeIf(node -> nowNanos - node.untilNanos() >= 0);
    shorten(most);
    Set<String> hosts = new HashSet<>();
    nodes.forEach(node -> hosts.add(node.host()));
    return hosts;
  }

  private void shorten(int most) {
    while (nodes.size() > most) {
      nodes.removeFirst();
    }
  }
}
