/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.DomainSettings;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What would keep a loaded kernel killer from killing on this node, each as one sentence. Not
 * thread-safe.
 */
final class Obstacles {
  private static final Logger LOG = LoggerFactory.getLogger(Obstacles.class);

  private final TasksInReach tasks;
  private int programs;
  private long truncatedWalks;

  /**
   * Looks through these.
   *
   * @param tasks whether containers are where they belong
   */
  Obstacles(TasksInReach tasks) {
    this.tasks = tasks;
  }

  /** Another killer is in use: the programs that it has attached now are expected to stay so. */
  void forget(KernelKiller killer) {
    programs = killer.attachedPrograms();
    truncatedWalks = killer.truncatedWalks();
  }

  /**
   * Looks once more; what is cheap to repair is.
   *
   * @param link to the loaded killer; its settings are written again if somebody changed them
   * @param registered ids of the containers that it knows
   * @param unregistered which one could not be registered in this tick, if any
   * @throws KernelKillerException if the killer does not answer
   */
  Optional<String> find(KernelKillerConnection link, Set<String> registered, Optional<String> unregistered)
      throws KernelKillerException {
    KernelKiller killer = link.connected().orElseThrow().killer();
    // Each looks in every tick, whatever the others find: they compare with the tick before.
    Optional<String> truncated = truncated(killer);
    Optional<String> astray = tasks.astray(registered);
    return settings(link)
        .or(() -> unregistered)
        .or(() -> detached(killer))
        .or(() -> astray)
        .or(() -> truncated);
  }

  private Optional<String> detached(KernelKiller killer) {
    return killer.attachedPrograms() >= programs
        ? Optional.empty()
        : Optional.of(
            "of its %d programs %d are attached; run `ua-killer unload` and load it again"
                .formatted(programs, killer.attachedPrograms()));
  }

  private Optional<String> truncated(KernelKiller killer) {
    long before = truncatedWalks;
    truncatedWalks = killer.truncatedWalks();
    return truncatedWalks == before
        ? Optional.empty()
        : Optional.of("there are more cgroups than its passes reach");
  }

  private static Optional<String> settings(KernelKillerConnection link) throws KernelKillerException {
    DomainSettings wanted = link.wanted();
    if (wanted.thrashingTolerance().isZero()) {
      return Optional.of(
          "yarn.nodemanager.charon.killer.cgth-time-ms is 0, with which it never kills");
    }
    KernelKillerConnection.Connected connected = link.connected().orElseThrow();
    Optional<DomainSettings> found = connected.killer().settings(connected.domain());
    if (found.equals(Optional.of(wanted))) {
      return Optional.empty();
    }
    LOG.warn("somebody changed the kernel killer to {}; set to {} again", found, wanted);
    link.change(wanted);
    return Optional.of("somebody had changed its settings; they were set again");
  }
}
