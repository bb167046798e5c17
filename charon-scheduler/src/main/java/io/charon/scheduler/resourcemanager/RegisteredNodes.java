/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;

/**
 * Whether an address is one of a registered NodeManager. Names are resolved once while their node
 * is registered; the nodes are looked through at most once a second (ours).
 */
final class RegisteredNodes {
  private static final long REFRESH_NANOS = 1_000_000_000;

  private final LongSupplier nanoClock;
  private Map<String, List<InetAddress>> resolved = Map.of();
  private Set<InetAddress> addresses = Set.of();
  private boolean anyHere;
  private boolean refreshed;
  private long refreshedNanos;

  RegisteredNodes(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Whether a request may come from one of the nodes. One that comes over loopback does if a node
   * is on this machine.
   *
   * @param address numeric
   * @param nodes all that are registered
   */
  synchronized boolean include(String address, Collection<RMNode> nodes) {
    long nowNanos = nanoClock.getAsLong();
    if (!refreshed || nowNanos - refreshedNanos >= REFRESH_NANOS) {
      refresh(nodes);
      refreshed = true;
      refreshedNanos = nowNanos;
    }
    List<InetAddress> asking = resolve(address);
    return asking.stream()
        .anyMatch(one -> addresses.contains(one) || (anyHere && one.isLoopbackAddress()));
  }

  private void refresh(Collection<RMNode> nodes) {
    Map<String, List<InetAddress>> known = new HashMap<>();
    for (RMNode node : nodes) {
      String host = node.getNodeID().getHost();
      List<InetAddress> before = resolved.getOrDefault(host, List.of());
      known.put(host, before.isEmpty() ? resolve(host) : before);
    }
    if (!known.equals(resolved) || !refreshed) {
      resolved = known;
      addresses = known.values().stream().flatMap(List::stream).collect(Collectors.toSet());
      anyHere = addresses.stream().anyMatch(RegisteredNodes::isHere);
    }
  }

  private static List<InetAddress> resolve(String host) {
    try {
      return List.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return List.of(); // asked again with the next look through the nodes
    }
  }

  private static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }
}
