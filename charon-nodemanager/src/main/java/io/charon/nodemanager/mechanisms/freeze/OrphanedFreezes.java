/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thaws containers that an earlier NodeManager left frozen, whatever the current settings are. A
 * container that YARN paused stays frozen until YARN resumes it. A container that YARN no longer
 * knows is thawed as well, so that it can end as orphans of a stock NodeManager do. One that this
 * NodeManager has frozen since is no leftover. Thread-safe.
 */
public final class OrphanedFreezes {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanedFreezes.class);

  private final ContainerFreezer freezer;
  private final Function<String, Phase> phases;
  private final Guard guard;
  private final ActionExecutor executor;
  private final Counter failures;
  private final Set<String> suspects = ConcurrentHashMap.newKeySet();

  /** Keeps a container that this NodeManager froze from being thawed as a leftover. */
  @FunctionalInterface
  public interface Guard {
    /**
     * Thaws a container unless this NodeManager holds it frozen; it freezes none meanwhile.
     *
     * @param thaw thaws the container
     */
    void thawUnlessHeld(String containerId, Runnable thaw);
  }

  /**
   * Creates an instance without suspects.
   *
   * @param freezer knows which containers are frozen
   * @param phases phase of a container according to YARN
   * @param guard knows the containers that this NodeManager holds frozen
   * @param executor thaws containers
   * @param failures counts failed readings
   */
  public OrphanedFreezes(
      ContainerFreezer freezer,
      Function<String, Phase> phases,
      Guard guard,
      ActionExecutor executor,
      Counter failures) {
    this.freezer = freezer;
    this.phases = phases;
    this.guard = guard;
    this.executor = executor;
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
            guard.thawUnlessHeld(
                containerId, () -> thaw(containerId, "an earlier NodeManager left it frozen"));
          }
          return decided;
        });
  }

  /** Thaws a container if it is frozen, whoever froze it. */
  void thaw(String containerId, String reason) {
    try {
      if (freezer.isFrozen(containerId)) {
        Basis basis = new Basis("the node", Map.of(), 0, "thaw", reason);
        Action thaw = new Action.Thaw(containerId, basis);
        ActionExecutor.Outcome outcome =
            executor.perform(BestEffortFreeze.NAME, RegulatorMode.ENFORCE, thaw);
        if (!outcome.done()) {
          LOG.warn("cannot thaw {}, which stays frozen: {}", containerId, outcome.result());
        }
      }
    } catch (IOException e) {
      failures.inc();
      LOG.warn("cannot find out whether {} is frozen; if so, it stays frozen", containerId, e);
    }
  }
}
