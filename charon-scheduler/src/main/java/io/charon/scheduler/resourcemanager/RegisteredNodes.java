/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * background, one after the other, because the callers are threads of the ResourceManager's web
 * server, which must not wait for DNS. A name is resolved again after {@link #KEPT}, because a node
 * may come back with another address; one that is not found is tried again at once, and keeps the
 * addresses that it had. Thread-safe.
 */
final class RegisteredNodes {
  /** How long the addresses of a name are used (our choice). */
  static final Duration KEPT = Duration.ofMinutes(5);

  private static final long CHECK_NANOS = 1_000_000_000;

  /** The addresses of a name, found at a time of the clock; none if it was not found. */
  private record Found(List<InetAddress> addresses, long nanos) {
    private boolean isDue(long nowNanos) {
      return addresses.isEmpty() || nowNanos - nanos >= KEPT.toNanos();
    }
  }

  /** The answer to whether an address belongs to a node. */
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
  private final Map<String, Found> tried = new ConcurrentHashMap<>();
  private final AtomicBoolean checking = new AtomicBoolean();
  private volatile long checkedNanos;

  /**
   * Creates an instance without nodes.
   *
   * @param background runs one pass through the nodes at a time
   */
  RegisteredNodes(Resolver resolver, Executor background, LongSupplier nanoClock) {
    this.resolver = resolver;
    this.background = background;
    this.nanoClock = nanoClock;
    checkedNanos = nanoClock.getAsLong() - CHECK_NANOS;
  }

  /**
   * Returns whether a request may come from one of the nodes. A request over loopback may only if a
   * node is registered with a loopback address.
   *
   * @param address numeric address
   * @param nodes all registered nodes
   */
  Answer include(String address, Collection<RMNode> nodes) {
    Set<String> hosts =
        nodes.stream().map(node -> node.getNodeID().getHost()).collect(Collectors.toSet());
    resolveIfDue(hosts);
    InetAddress asking;
    try {
      asking = InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      return Answer.NO;
    }
    // Read before the addresses: a name that is resolved in between would otherwise lead to NO.
    boolean all = tried.keySet().containsAll(hosts);
    boolean known =
        hosts.stream()
            .map(tried::get)
            .filter(Objects::nonNull)
            .flatMap(found -> found.addresses().stream())
            .anyMatch(
                one ->
                    one.equals(asking) || (one.isLoopbackAddress() && asking.isLoopbackAddress()));
    if (known) {
      return Answer.YES;
    }
    return all ? Answer.NO : Answer.NOT_YET;
  }

  private void resolveIfDue(Set<String> hosts) {
    long now = nanoClock.getAsLong();
    if (now - checkedNanos >= CHECK_NANOS && checking.compareAndSet(false, true)) {
      checkedNanos = now;
      try {
        background.execute(() -> check(hosts));
      } catch (RejectedExecutionException e) {
        checking.set(false); // the web server is stopping
      }
    }
  }

  private void check(Set<String> hosts) {
    try {
      tried.keySet().retainAll(hosts);
      for (String host : hosts) {
        Found known = tried.getOrDefault(host, new Found(List.of(), 0));
        if (known.isDue(nanoClock.getAsLong())) {
          tried.put(host, resolve(host, known));
        }
      }
    } finally {
      checking.set(false);
    }
  }

  private Found resolve(String host, Found known) {
    try {
      return new Found(List.of(resolver.resolve(host)), nanoClock.getAsLong());
    } catch (UnknownHostException e) {
      return known; // tried again in the next pass
    }
  }
}
