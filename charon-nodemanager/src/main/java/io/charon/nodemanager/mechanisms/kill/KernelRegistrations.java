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
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupPatterns;
import io.charon.nodemanager.container.ContainerInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the kernel killer told of every container: best-effort tasks may die, everybody else is
 * watched. What is registered is compared with what should be, so that a killer that was loaded
 * anew, or a NodeManager that was started anew, finds its way back. Not thread-safe.
 */
final class KernelRegistrations {
  private static final Logger LOG = LoggerFactory.getLogger(KernelRegistrations.class);

  private record Known(ContainerInfo info, long cgroup, long startNanos) {}

  private final CgroupLayout layout;
  private final CgroupPatterns services;
  private final Map<String, Known> containers = new LinkedHashMap<>();
  private final Map<Long, String> names = new HashMap<>();
  private final Map<Long, ContainerRegistration> registered = new HashMap<>();

  KernelRegistrations(CgroupLayout layout, CgroupPatterns services) {
    this.layout = layout;
    this.services = services;
  }

  /**
   * A container has a cgroup from now on.
   *
   * @param startNanos when it started, 0 if that is not known
   */
  void started(ContainerInfo info, long startNanos) {
    Path cgroup =
        layout.containerDirectory(layout.memory(), info.containerClass(), info.containerId());
    try {
      long id = CgroupId.of(cgroup);
      containers.put(info.containerId(), new Known(info, id, startNanos));
      names.put(id, info.containerId());
    } catch (IOException e) {
      LOG.debug("{} has no cgroup, so the kernel killer does not watch it", info.containerId(), e);
    }
  }

  /** When a container started; 0 if that is not known. */
  long startNanos(String containerId) {
    Known known = containers.get(containerId);
    return known == null ? 0 : known.startNanos();
  }

  /** A container is gone. */
  void stopped(String containerId, Optional<KernelLink.Connected> link) {
    Known known = containers.remove(containerId);
    if (known == null) {
      return;
    }
    names.remove(known.cgroup());
    registered.remove(known.cgroup());
    if (link.isPresent()) {
      try {
        link.get().killer().unregister(known.cgroup());
      } catch (KernelKillerException e) {
        LOG.debug("{} stays registered", containerId, e);
      }
    }
  }

  /** Nothing is registered: another killer was loaded, or none is. */
  void forget() {
    registered.clear();
  }

  /**
   * Registers what is not, changes what differs, removes what ended. One that cannot be registered
   * keeps no other one from it.
   *
   * @return what could not be registered, if anything
   * @throws KernelKillerException if one that ended cannot be removed
   */
  Optional<String> sync(KernelLink.Connected link) throws KernelKillerException {
    Map<Long, ContainerRegistration> wanted = wanted(link.domain());
    Optional<String> failure = Optional.empty();
    for (Map.Entry<Long, ContainerRegistration> entry : wanted.entrySet()) {
      if (!entry.getValue().equals(registered.get(entry.getKey()))) {
        try {
          register(link, entry.getKey(), entry.getValue());
        } catch (KernelKillerException | RuntimeException e) {
          String name = names.get(entry.getKey());
          failure =
              failure.or(() -> Optional.of(name + " cannot be registered: " + e.getMessage()));
        }
      }
    }
    for (long gone : registered.keySet().stream().filter(id -> !wanted.containsKey(id)).toList()) {
      link.killer().unregister(gone);
      registered.remove(gone);
      names.remove(gone);
    }
    return failure;
  }

  /** Cgroup ids of the containers that are registered, by container id. */
  Map<String, Long> registeredContainers() {
    Map<String, Long> ids = new HashMap<>();
    containers.forEach(
        (containerId, known) -> {
          if (registered.containsKey(known.cgroup())) {
            ids.put(containerId, known.cgroup());
          }
        });
    return ids;
  }

  /** A container's id or a service's path, by cgroup id. */
  Map<Long, String> names() {
    return Map.copyOf(names);
  }

  private void register(KernelLink.Connected link, long cgroup, ContainerRegistration wanted)
      throws KernelKillerException {
    // Of a container found running, only an earlier NodeManager's registration knows the age.
    long startNanos =
        wanted.startNanos() != 0 ? wanted.startNanos() : earlierStartNanos(link, cgroup);
    link.killer()
        .register(cgroup, new ContainerRegistration(wanted.domain(), startNanos, wanted.score()));
    registered.put(cgroup, wanted);
  }

  /** An entry that makes no sense costs the container its age, not its registration. */
  private static long earlierStartNanos(KernelLink.Connected link, long cgroup)
      throws KernelKillerException {
    try {
      return link.killer().registration(cgroup).map(ContainerRegistration::startNanos).orElse(0L);
    } catch (IllegalArgumentException e) {
      LOG.warn("what was registered for cgroup {} is replaced: {}", cgroup, e.getMessage());
      return 0;
    }
  }

  private Map<Long, ContainerRegistration> wanted(long domain) {
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
      wanted.put(known.cgroup(), new ContainerRegistration(domain, known.startNanos(), score));
    }
    for (Path service : services.find()) {
      try {
        long id = CgroupId.of(service);
        wanted.putIfAbsent(id, new ContainerRegistration(domain, 0, 0));
        names.putIfAbsent(id, service.toString());
      } catch (IOException e) {
        LOG.debug("{} went away", service, e);
      }
    }
    return wanted;
  }

  private static boolean mayDie(ContainerInfo info) {
    return info.executionType() == ExecutionType.OPPORTUNISTIC && !info.applicationMaster();
  }
}
