/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thaws containers that an earlier NodeManager left frozen, whatever the settings are now; one that
 * YARN paused stays so until YARN resumes it. One that YARN does not know any more is thawed, too:
 * it ends as orphans of a stock NodeManager do, which a frozen one cannot. Thread-safe.
 */
public final class OrphanedFreezes {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanedFreezes.class);

  private final ContainerFreezer freezer;
  private final Function<String, Phase> phases;
  private final Counter failures;
  private final Set<String> suspects = ConcurrentHashMap.newKeySet();

  /**
   * Knows of nobody yet.
   *
   * @param freezer thaws
   * @param phases what YARN says of a container
   * @param failures counts what went wrong
   */
  public OrphanedFreezes(ContainerFreezer freezer, Function<String, Phase> phases, Counter failures) {
    this.freezer = freezer;
    this.phases = phases;
    this.failures = failures;
  }

  /** Looks for those that are frozen now, before this NodeManager freezes any. */
  public void start() {
    try {
      suspects.addAll(freezer.frozen());
    } catch (IOException e) {
      failures.inc();
      LOG.warn("containers that an earlier NodeManager froze may stay so", e);
    }
  }

  /** A container was found running; YARN does not say yet whether it had paused it. */
  public void recovered(String containerId) {
    suspects.add(containerId);
  }

  /** Thaws those of which YARN says by now that it did not pause them. */
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
        LOG.info("{} was left frozen by an earlier NodeManager and goes on", containerId);
      }
    } catch (IOException e) {
      failures.inc();
      LOG.warn("{} stays frozen", containerId, e);
    }
  }
}
