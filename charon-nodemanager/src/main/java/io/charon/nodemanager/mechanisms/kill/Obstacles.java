/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.DomainSettings;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what would keep a loaded kernel killer from killing on this node, as one sentence. Not
 * thread-safe.
 */
final class Obstacles {
  private static final Logger LOG = LoggerFactory.getLogger(Obstacles.class);

  private final TasksInReach tasks;
  private int programs;
  private long truncatedWalks;
  private long missedEntries;

  /**
   * Creates an instance that has checked nothing yet.
   *
   * @param tasks checks whether containers are where they belong
   */
  Obstacles(TasksInReach tasks) {
    this.tasks = tasks;
  }

  /** Starts with another killer: the programs attached now are expected to stay attached. */
  void forget(KernelKiller killer) {
    programs = killer.attachedPrograms();
    truncatedWalks = killer.truncatedWalks();
    missedEntries = killer.missedEntries();
  }

  /**
   * Checks everything once, and writes the settings again if they were changed.
   *
   * @param link the link to the loaded killer
   * @param registered ids of the containers that the killer knows
   * @param unregistered why a container could not be registered in this tick; empty if all were
   * @return the first obstacle; empty if there is none
   * @throws KernelKillerException if the killer does not answer
   */
  Optional<String> find(
      KernelKillerConnection link, Set<String> registered, Optional<String> unregistered)
      throws KernelKillerException {
    KernelKiller killer = link.connected().orElseThrow().killer();
    // These checks run in every tick, because they compare with the previous tick.
    Optional<String> truncated = truncated(killer);
    Optional<String> missed = missed(killer);
    Optional<String> astray = tasks.astray(registered);
    return settings(link)
        .or(() -> unregistered)
        .or(() -> detached(killer))
        .or(() -> astray)
        .or(() -> truncated)
        .or(() -> missed);
  }

  private Optional<String> detached(KernelKiller killer) {
    return killer.attachedPrograms() >= programs
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "of its %d programs only %d are attached; run `ua-killer unload`, then `ua-killer load`",
                programs,
                killer.attachedPrograms()));
  }

  private Optional<String> truncated(KernelKiller killer) {
    long before = truncatedWalks;
    truncatedWalks = killer.truncatedWalks();
    return truncatedWalks == before
        ? Optional.empty()
        : Optional.of("there are more cgroups than one pass of the kernel killer can visit");
  }

  private Optional<String> missed(KernelKiller killer) {
    long before = missedEntries;
    missedEntries = killer.missedEntries();
    return missedEntries == before
        ? Optional.empty()
        : Optional.of(
            "a table of its detector is full, so that it does not observe every container");
  }

  private static Optional<String> settings(KernelKillerConnection link)
      throws KernelKillerException {
    DomainSettings wanted = link.wanted();
    if (wanted.thrashingTolerance().isZero()) {
      return Optional.of("yarn.nodemanager.charon.killer.cgth-time-ms is 0, so it never kills");
    }
    KernelKillerConnection.Connected connected = link.connected().orElseThrow();
    Optional<DomainSettings> found = connected.killer().settings(connected.domain());
    if (found.equals(Optional.of(wanted))) {
      return Optional.empty();
    }
    LOG.warn(
        "the settings of the kernel killer were changed from outside to {}; restored to {}",
        found,
        wanted);
    link.change(wanted);
    return Optional.of("its settings had been changed from outside and were restored");
  }
}
