/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.core.scheduler.ExecutionType;
import io.charon.killer.client.CgroupId;
import io.charon.killer.client.ContainerRegistration;
import io.charon.killer.client.KernelKillerException;
import io.charon.nodemanager.container.ContainerInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the kernel killer's registrations up to date: best-effort tasks are killable, all other
 * containers are watched. The existing registrations are compared with the wanted ones, so that a
 * newly loaded killer or a restarted NodeManager recovers. Not thread-safe.
 */
final class KernelRegistrations {
  private static final Logger LOG = LoggerFactory.getLogger(KernelRegistrations.class);

  private record Known(ContainerInfo info, long cgroup, long startNanos) {}

  private final Function<ContainerInfo, Optional<Path>> places;
  private final ServiceRegistrations services;
  private final Map<String, Known> containers = new LinkedHashMap<>();
  private final Map<Long, String> names = new HashMap<>();

  /** The registrations that this NodeManager made or may have made, by cgroup id. */
  private final Map<Long, ContainerRegistration> registered = new HashMap<>();

  private int foreign;

  /**
   * Creates an instance that has registered nothing.
   *
   * @param places a container's memory cgroup; empty if it has none
   * @param services watched services outside YARN
   * @param left cgroup ids of the containers that an earlier NodeManager left
   */
  KernelRegistrations(
      Function<ContainerInfo, Optional<Path>> places, WatchedServices services, Set<Long> left) {
    this.places = places;
    this.services = new ServiceRegistrations(services, left);
  }

  /**
   * Records a container that now has a cgroup. A container that was promoted may still be killable
   * in the cgroup of its former class; the next {@link #sync} ends that.
   *
   * @param startNanos when it started, 0 if that is not known
   * @param left cgroup ids of this container that an earlier NodeManager may have registered
   */
  void started(ContainerInfo info, long startNanos, Set<Long> left) {
    Optional<Path> cgroup = places.apply(info);
    if (cgroup.isEmpty()) {
      return;
    }
    Set<Long> former = new HashSet<>(left);
    try {
      long id = CgroupId.of(cgroup.get());
      former.remove(id);
      containers.put(info.containerId(), new Known(info, id, startNanos));
      names.put(id, info.containerId());
    } catch (IOException e) {
      LOG.debug("{} has no cgroup, so the kernel killer does not watch it", info.containerId(), e);
    }
    former.forEach(id -> registered.putIfAbsent(id, new ContainerRegistration(0, 0)));
  }

  /** Records the new request of a container; ignores one that is not recorded. */
  void resized(ContainerInfo info) {
    containers.computeIfPresent(
        info.containerId(), (id, known) -> new Known(info, known.cgroup(), known.startNanos()));
  }

  /** Returns when a container started; 0 if that is not known. */
  long startNanos(String containerId) {
    Known known = containers.get(containerId);
    return known == null ? 0 : known.startNanos();
  }

  /**
   * Unregisters a container that has ended or changes its class. If that fails, or no killer is
   * connected, the next {@link #sync} does it: a container that is production by now must not stay
   * killable.
   */
  void stopped(String containerId, Optional<KernelKillerConnection.Connected> link) {
    Known known = containers.remove(containerId);
    if (known == null) {
      return;
    }
    if (link.isEmpty() && registered.containsKey(known.cgroup())) {
      return;
    }
    if (link.isPresent() && !isUnregistered(known, link.get())) {
      registered.putIfAbsent(
          known.cgroup(), new ContainerRegistration(known.startNanos(), 0)); // it may exist
      return;
    }
    registered.remove(known.cgroup());
    names.remove(known.cgroup());
  }

  private static boolean isUnregistered(Known known, KernelKillerConnection.Connected link) {
    try {
      link.killer().update(link.domain(), Map.of(), Set.of(known.cgroup()));
      return true;
    } catch (KernelKillerException e) {
      LOG.debug("cannot unregister {}", known.info().containerId(), e);
      return false;
    }
  }

  /**
   * Reads the existing registrations, so that the next {@link #sync} repairs what others changed,
   * or registers everything with a newly loaded killer.
   */
  void readRegistrations(KernelKillerConnection.Connected link) throws KernelKillerException {
    Map<Long, ContainerRegistration> there = link.killer().registrations(link.domain());
    Set<Long> own = new HashSet<>(registered.keySet());
    own.addAll(wanted(link).keySet());
    own.addAll(services.ofEarlier(there));
    registered.clear();
    registered.putAll(there);
    registered.keySet().retainAll(own);
    count(there.size() - registered.size(), link);
  }

  /**
   * Returns what an operator should know although it keeps the killer from nothing, as the end of a
   * sentence.
   */
  String remarks() {
    return (foreign == 0 ? "" : "; " + foreign + " registrations are not from this NodeManager")
        + services.remark();
  }

  /** Returns the number of registrations in this node's domain that are not this NodeManager's. */
  int foreign() {
    return foreign;
  }

  /**
   * Adds missing registrations, updates those that differ and removes those of ended containers.
   * One failed registration does not prevent the others.
   *
   * @return the first registration of a container that failed, as one sentence; empty if none did
   */
  Optional<String> sync(KernelKillerConnection.Connected link) throws KernelKillerException {
    Map<Long, ContainerRegistration> wanted = wanted(link);
    Map<Long, ContainerRegistration> changed = new LinkedHashMap<>(wanted);
    changed.entrySet().removeIf(entry -> isRegistered(entry.getKey(), entry.getValue()));
    List<Long> gone =
        registered.keySet().stream().filter(container -> !wanted.containsKey(container)).toList();
    if (changed.isEmpty() && gone.isEmpty()) {
      services.refused(Map.of(), link);
      return Optional.empty();
    }
    registered.putAll(changed); // before the call, which may succeed although its reply is lost
    Map<Long, String> refused = link.killer().update(link.domain(), changed, gone);
    gone.forEach(registered::remove);
    gone.forEach(names::remove);
    refused.keySet().forEach(registered::remove);
    services.refused(refused, link);
    return refused.entrySet().stream()
        .filter(one -> names.containsKey(one.getKey()))
        .findFirst()
        .map(
            one ->
                "%s cannot be registered: %s".formatted(names.get(one.getKey()), one.getValue()));
  }

  /**
   * Removes the registrations of this NodeManager and of an earlier one; the killer no longer kills
   * or watches these containers.
   *
   * @param left cgroup ids of the containers that an earlier NodeManager left
   */
  void withdraw(KernelKillerConnection.Connected link, Set<Long> left)
      throws KernelKillerException {
    Map<Long, ContainerRegistration> existing = link.killer().registrations(link.domain());
    Set<Long> own = new HashSet<>(registered.keySet());
    own.addAll(wanted(link).keySet());
    own.addAll(left);
    own.addAll(services.ofEarlier(existing));
    Set<Long> there = new HashSet<>(existing.keySet());
    there.retainAll(own);
    link.killer().update(link.domain(), Map.of(), there);
    registered.clear();
    containers.clear();
    LOG.info("kernel killer: unregistered {} containers", there.size());
  }

  /** Returns the ids of the registered containers. */
  Set<String> registeredContainers() {
    return containers.entrySet().stream()
        .filter(container -> registered.containsKey(container.getValue().cgroup()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the container ids and service paths, by cgroup id. */
  Map<Long, String> names() {
    Map<Long, String> all = new HashMap<>(services.names());
    all.putAll(names);
    return Map.copyOf(all);
  }

  /**
   * Compares with the existing registration. A container found running has no known start time, so
   * an earlier NodeManager's registration, which has it, is kept.
   */
  private boolean isRegistered(long cgroup, ContainerRegistration wanted) {
    ContainerRegistration there = registered.get(cgroup);
    return there != null
        && there.score() == wanted.score()
        && there.entitledBytes() == wanted.entitledBytes()
        && (wanted.startNanos() == 0 || there.startNanos() == wanted.startNanos());
  }

  private void count(int found, KernelKillerConnection.Connected link) {
    if (found > foreign) {
      LOG.warn(
          "kernel killer: {} registrations in {} are not from this NodeManager; see `ua-killer status`, and remove them with `ua-killer unregister`",
          found,
          link.root());
    }
    foreign = found;
  }

  private Map<Long, ContainerRegistration> wanted(KernelKillerConnection.Connected link) {
    Map<String, Integer> ranks =
        ApplicationRanks.of(
            containers.values().stream()
                .map(Known::info)
                .filter(KernelRegistrations::mayDie)
                .map(ContainerInfo::applicationId)
                .toList());
    Map<Long, ContainerRegistration> wanted = new LinkedHashMap<>();
    for (Known known : containers.values()) {
      int score = mayDie(known.info()) ? ranks.get(known.info().applicationId()) : 0;
      wanted.put(
          known.cgroup(),
          new ContainerRegistration(known.startNanos(), score, entitledBytes(known.info())));
    }
    services.wanted(link).forEach(wanted::putIfAbsent);
    return wanted;
  }

  /**
   * Returns the entitlement: production may hold the memory that it asked for, page cache included.
   */
  private static long entitledBytes(ContainerInfo info) {
    return info.executionType() == ExecutionType.GUARANTEED
        ? Math.max(0, info.requestedBytes())
        : 0;
  }

  private static boolean mayDie(ContainerInfo info) {
    return info.executionType() == ExecutionType.OPPORTUNISTIC && !info.applicationMaster();
  }
}
