/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.DomainSettings;
import io.charon.killer.client.KernelKillerException;
import java.util.Map;
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

  private final AttachedPrograms programs;
  private final PassReach reach;
  private final ContainerPlaces places;

  /**
   * Looks through these.
   *
   * @param programs whether the kernel runs them
   * @param reach whether their passes come to every container
   * @param places whether containers are where they belong
   */
  Obstacles(AttachedPrograms programs, PassReach reach, ContainerPlaces places) {
    this.programs = programs;
    this.reach = reach;
    this.places = places;
  }

  /** Another killer is in use. */
  void forget() {
    programs.expect();
    reach.forget();
  }

  /**
   * Looks once more; what is cheap to repair is.
   *
   * @param link to the loaded killer; its settings are written again if somebody changed them
   * @param registered cgroup ids of the containers that it knows, by container id
   * @param unregistered which one could not be registered in this tick, if any
   * @throws KernelKillerException if the killer does not answer
   */
  Optional<String> find(
      KernelLink link, Map<String, Long> registered, Optional<String> unregistered)
      throws KernelKillerException {
    // Each looks in every tick, whatever the others find: they compare with the tick before.
    Optional<String> missed = reach.missed(link.connected().orElseThrow().killer(), registered);
    Optional<String> astray = places.astray(Set.copyOf(registered.keySet()));
    return settings(link)
        .or(() -> unregistered)
        .or(
            () ->
                programs
                    .missing()
                    .map(name -> "its program " + name + " is not attached any more; load it anew"))
        .or(() -> astray)
        .or(() -> missed.map(id -> "its passes do not reach " + id));
  }

  private static Optional<String> settings(KernelLink link) throws KernelKillerException {
    DomainSettings wanted = link.wanted();
    if (wanted.thrashingTolerance().isZero()) {
      return Optional.of(
          "yarn.nodemanager.charon.killer.cgth-time-ms is 0, with which it never kills");
    }
    KernelLink.Connected connected = link.connected().orElseThrow();
    Optional<DomainSettings> found = connected.killer().settings(connected.domain());
    if (found.equals(Optional.of(wanted))) {
      return Optional.empty();
    }
    LOG.warn("somebody changed the kernel killer to {}; set to {} again", found, wanted);
    link.change(wanted);
    return Optional.of("somebody had changed its settings; they were set again");
  }
}
