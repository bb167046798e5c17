/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;

/**
 * The addresses of registered nodes. Nodes register by name, and names are resolved in the
 * background, one after the other: the threads that ask are those of the ResourceManager's web
 * server and never wait for DNS. A name is resolved once while its node is registered; one that is
 * not found is tried again. Safe for many threads.
 */
final class RegisteredNodes {
  private static final long LOOK_NANOS = 1_000_000_000;

  /** Whether an address is a node's. */
  enum Answer {
    YES,
    NO,
    /** Names of nodes are still being resolved. */
    NOT_YET
  }

  /** Finds the addresses of a name; may take long. */
  interface Resolver {
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  private final Resolver resolver;
  private final Executor background;
  private final LongSupplier nanoClock;
  private final Map<String, List<InetAddress>> tried = new ConcurrentHashMap<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile long lookedNanos;

  /**
   * Knows no node yet.
   *
   * @param background runs one look through the nodes at a time
   */
  RegisteredNodes(Resolver resolver, Executor background, LongSupplier nanoClock) {
    this.resolver = resolver;
    this.background = background;
    this.nanoClock = nanoClock;
    lookedNanos = nanoClock.getAsLong() - LOOK_NANOS;
  }

  /**
   * Whether a request may come from one of the nodes. One that comes over loopback does only if a
   * node is registered by an address of loopback.
   *
   * @param address numeric
   * @param nodes all that are registered
   */
  Answer include(String address, Collection<RMNode> nodes) {
    Set<String> hosts =
        nodes.stream().map(node -> node.getNodeID().getHost()).collect(Collectors.toSet());
    lookNowAndThen(hosts);
    InetAddress asking;
    try {
      asking = InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      return Answer.NO;
    }
    // Asked first: what is resolved from now on must not count as looked at.
    boolean all = tried.keySet().containsAll(hosts);
    boolean known =
        hosts.stream()
            .flatMap(host -> tried.getOrDefault(host, List.of()).stream())
            .anyMatch(
                one ->
                    one.equals(asking) || (one.isLoopbackAddress() && asking.isLoopbackAddress()));
    if (known) {
      return Answer.YES;
    }
    return all ? Answer.NO : Answer.NOT_YET;
  }

  private void lookNowAndThen(Set<String> hosts) {
    long now = nanoClock.getAsLong();
    if (now - lookedNanos >= LOOK_NANOS && looking.compareAndSet(false, true)) {
      lookedNanos = now;
      try {
        background.execute(() -> look(hosts));
      } catch (RejectedExecutionException e) {
        looking.set(false); // the web server stops
      }
    }
  }

  private void look(Set<String> hosts) {
    try {
      tried.keySet().retainAll(hosts);
      for (String host : hosts) {
        if (tried.getOrDefault(host, List.of()).isEmpty()) {
          tried.put(host, resolve(host));
        }
      }
    } finally {
      looking.set(false);
    }
  }

  private List<InetAddress> resolve(String host) {
    try {
      return List.of(resolver.resolve(host));
    } catch (UnknownHostException e) {
      return List.of(); // tried again with the next look
    }
  }
}
