/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.CgroupId;
import io.charon.killer.client.DomainSettings;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows whether a kernel killer is loaded whose domain contains this node's containers. A killer
 * may be loaded, unloaded and replaced while the NodeManager runs.
 */
final class KernelKillerConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KernelKillerConnection.class);

  /** Opens the currently loaded killer. */
  @FunctionalInterface
  interface Opener {
    KernelKiller open() throws KernelKillerException;
  }

  /**
   * A killer whose domain contains this node's containers.
   *
   * @param killer the loaded killer
   * @param domain cgroup id of the domain's root
   * @param root the domain's root
   */
  record Connected(KernelKiller killer, long domain, Path root) {}

  private final Opener opener;
  private final WatchedCgroups watched;
  private DomainSettings settings;
  private Optional<Connected> connected = Optional.empty();
  private String state = "not checked yet";

  /**
   * Creates a link that is not connected.
   *
   * @param opener opens the loaded killer
   * @param watched where this node's containers are
   * @param settings the operator's settings for this node's domain
   */
  KernelKillerConnection(Opener opener, WatchedCgroups watched, DomainSettings settings) {
    this.opener = opener;
    this.watched = watched;
    this.settings = settings;
  }

  /** Returns the killer in use; connects again if it is no longer the loaded one. */
  Optional<Connected> follow() {
    if (connected.isPresent()) {
      try {
        if (!stillThere(connected.get())) {
          close();
        }
      } catch (KernelKillerException e) {
        // A helper that hangs has used up its time; the next tick connects again.
        close();
        becomes(e.getMessage());
        return connected;
      }
    }
    if (connected.isEmpty()) {
      connect();
    }
    return connected;
  }

  /**
   * Applies new settings to this node's domain.
   *
   * @throws KernelKillerException if the loaded killer refuses them
   */
  void change(DomainSettings wanted) throws KernelKillerException {
    settings = wanted;
    if (connected.isPresent()) {
      connected.get().killer().change(connected.get().domain(), wanted);
    }
  }

  /** Returns the operator's settings for this node's domain. */
  DomainSettings wanted() {
    return settings;
  }

  /** Returns the killer that {@link #follow} found last. */
  Optional<Connected> connected() {
    return connected;
  }

  /** Returns which killer is loaded, or why none is; one line. */
  String state() {
    return state;
  }

  @Override
  public void close() {
    connected.ifPresent(link -> link.killer().close());
    connected = Optional.empty();
  }

  private boolean stillThere(Connected link) throws KernelKillerException {
    if (!link.killer().isCurrent() || !link.killer().domains().contains(link.domain())) {
      return false;
    }
    try {
      return mayKill(link.killer(), link.domain());
    } catch (IOException e) {
      return false; // a cgroup was removed
    }
  }

  /**
   * Returns whether root allows kills of this node's best-effort containers; only then the killer
   * protects this node.
   */
  private boolean mayKill(KernelKiller killer, long domain) throws IOException {
    return nearest(watched.bestEffort(), killer.killableRoots(domain)).isPresent();
  }

  private void connect() {
    try {
      KernelKiller killer = opener.open();
      try {
        connected = join(killer);
      } finally {
        if (connected.isEmpty()) {
          killer.close();
        }
      }
    } catch (IOException e) {
      becomes(e.getMessage());
    }
  }

  private Optional<Connected> join(KernelKiller killer) throws IOException {
    Optional<Path> root = nearest(watched.containers(), killer.domains());
    if (root.isEmpty()) {
      becomes(
          "loaded, but no domain contains %s; as root: ua-killer domain add CGROUP --killable-below %s, where CGROUP is above both"
              .formatted(watched.containers(), watched.bestEffort()));
      return Optional.empty();
    }
    long domain = CgroupId.of(root.get());
    if (!mayKill(killer, domain)) {
      becomes(
          "loaded, but no container may be killed below %s; as root: ua-killer domain add %s --killable-below %s"
              .formatted(watched.bestEffort(), root.get(), watched.bestEffort()));
      return Optional.empty();
    }
    if (!killer.settings(domain).equals(Optional.of(settings))) {
      killer.change(domain, settings);
    }
    becomes("%s: %s".formatted(killer.tier().description(), killer.reason()));
    return Optional.of(new Connected(killer, domain, root.get()));
  }

  /** Returns the nearest of the given cgroups that is {@code from} or one of its ancestors. */
  private Optional<Path> nearest(Path from, Set<Long> cgroups) throws IOException {
    for (Path cgroup = from; cgroup.startsWith(watched.hierarchy()); cgroup = cgroup.getParent()) {
      if (Files.isDirectory(cgroup) && cgroups.contains(CgroupId.of(cgroup))) {
        return Optional.of(cgroup);
      }
    }
    return Optional.empty();
  }

  private void becomes(String next) {
    if (!next.equals(state)) {
      LOG.info("kernel killer: {}", next);
      state = next;
    }
  }
}
