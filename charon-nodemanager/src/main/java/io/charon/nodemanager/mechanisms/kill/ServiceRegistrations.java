/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.CgroupId;
import io.charon.killer.client.ContainerRegistration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registrations of services with the kernel killer. A service that cannot be registered is
 * named, and keeps the kernel killer from nothing: containers are protected without it. Not
 * thread-safe.
 */
final class ServiceRegistrations {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceRegistrations.class);

  private record Found(Path cgroup, WatchedServices.Watched service) {}

  private final WatchedServices services;
  private final Set<Long> left;
  private Map<Long, Found> found = Map.of();
  private Map<Long, String> refused = Map.of();
  private boolean earlierKnown;

  /**
   * Creates an instance that has registered nothing.
   *
   * @param services finds the services
   * @param left cgroup ids of the containers that an earlier NodeManager left; these are no
   *     services
   */
  ServiceRegistrations(WatchedServices services, Set<Long> left) {
    this.services = services;
    this.left = Set.copyOf(left);
  }

  /** Returns the registrations of the services that exist now, by cgroup id. */
  Map<Long, ContainerRegistration> wanted(KernelKillerConnection.Connected link) {
    Map<Long, Found> now = new LinkedHashMap<>();
    services
        .find(link.root())
        .forEach(
            (cgroup, service) -> {
              try {
                now.put(CgroupId.of(cgroup), new Found(cgroup, service));
              } catch (IOException e) {
                LOG.debug("{} no longer exists", cgroup, e);
              }
            });
    found = now;
    Map<Long, ContainerRegistration> wanted = new LinkedHashMap<>();
    now.forEach(
        (id, one) ->
            wanted.put(id, new ContainerRegistration(0, 0, one.service().entitledBytes())));
    return wanted;
  }

  /**
   * Returns those of the existing registrations that an earlier NodeManager made for services, on
   * the first call; later, others' registrations are left alone. Only a NodeManager registers
   * without a start time what is only watched: {@code ua-killer register} always gives one. Another
   * NodeManager with the same domain registers its services again within a second.
   */
  Set<Long> ofEarlier(Map<Long, ContainerRegistration> there) {
    if (earlierKnown) {
      return Set.of();
    }
    earlierKnown = true;
    return there.entrySet().stream()
        .filter(one -> one.getValue().score() == 0 && one.getValue().startNanos() == 0)
        .map(Map.Entry::getKey)
        .filter(id -> !left.contains(id))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Names each service that could not be registered, once as long as that lasts.
   *
   * @param refusals why registrations failed, by cgroup id, also of containers
   */
  void refused(Map<Long, String> refusals, KernelKillerConnection.Connected link) {
    Map<Long, String> now = new HashMap<>(refusals);
    now.keySet().retainAll(found.keySet());
    now.forEach(
        (id, why) -> {
          if (!refused.containsKey(id)) {
            LOG.warn(
                "{} names {}, which the kernel killer cannot watch: {}. Name cgroups below {} that"
                    + " hold no best-effort, or remove it. Everything else is watched, and this is"
                    + " tried again each second",
                found.get(id).service().key(),
                found.get(id).cgroup(),
                why,
                link.root());
          }
        });
    refused = now;
  }

  /** Returns which services are not watched, as the end of a sentence; empty if all are. */
  String remark() {
    return refused.keySet().stream()
        .map(id -> found.get(id).cgroup().toString())
        .sorted()
        .reduce((one, other) -> one + ", " + other)
        .map(paths -> "; it does not watch " + paths + ": see the NodeManager's log")
        .orElse("");
  }

  /** Returns the paths of the services, by cgroup id. */
  Map<Long, String> names() {
    return found.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, one -> one.getValue().cgroup().toString()));
  }
}
