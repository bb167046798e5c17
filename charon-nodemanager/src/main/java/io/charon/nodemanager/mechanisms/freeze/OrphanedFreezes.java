/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.container.Phase;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thaws containers that an earlier NodeManager left frozen, whatever the current settings are. A
 * container that YARN paused stays frozen until YARN resumes it. A container that YARN no longer
 * knows is thawed as well, so that it can end as orphans of a stock NodeManager do. Thread-safe.
 */
public final class OrphanedFreezes {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanedFreezes.class);

  private final ContainerFreezer freezer;
  private final Function<String, Phase> phases;
  private final Counter failures;
  private final Set<String> suspects = ConcurrentHashMap.newKeySet();

  /**
   * Creates an instance without suspects.
   *
   * @param freezer thaws containers
   * @param phases phase of a container according to YARN
   * @param failures counts failed attempts
   */
  public OrphanedFreezes(
      ContainerFreezer freezer, Function<String, Phase> phases, Counter failures) {
    this.freezer = freezer;
    this.phases = phases;
    this.failures = failures;
  }

  /** Finds the containers that are frozen now, before this NodeManager freezes any. */
  public void start() {
    try {
      suspects.addAll(freezer.frozen());
    } catch (IOException e) {
      failures.inc();
      LOG.warn(
          "cannot list frozen containers; those that an earlier NodeManager froze may stay frozen",
          e);
    }
  }

  /** Handles a container that was found running. Whether YARN had paused it is not known yet. */
  public void recovered(String containerId) {
    suspects.add(containerId);
  }

  /** Thaws the containers that YARN by now reports as not frozen. */
  public void tick() {
    suspects.removeIf(
        containerId -> {
          Phase phase = phases.apply(containerId);
          boolean decided = phase == Phase.RUNNING || phase == Phase.ENDING;
          if (decided) {
            thaw(containerId);
          }
          return decided;
        });
  }

  private void thaw(String containerId) {
    try {
      if (freezer.thaw(containerId)) {
        LOG.info("{} was left frozen by an earlier NodeManager and has been thawed", containerId);
      }
    } catch (IOException e) {
      failures.inc();
      LOG.warn("cannot thaw {}, which stays frozen", containerId, e);
    }
  }
}
