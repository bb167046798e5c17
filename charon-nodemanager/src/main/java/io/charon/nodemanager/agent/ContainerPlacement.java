/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.IdleDisk;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.container.OomScores;
import io.charon.nodemanager.mechanisms.kill.KillBookkeeper;
import io.charon.nodemanager.mechanisms.kill.NodeKillers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place that Charon gives a container: its cgroups, its scores, and what the kernel killer may
 * do to it. One class, because a container that is moved must not be killed meanwhile.
 */
final class ContainerPlacement implements ContainerListener, ContainerLifecycle.Places {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerPlacement.class);

  private final ContainerCgroups cgroups;
  private final OomScores scores;
  private final IdleDisk disk;
  private final NodeKillers killers;
  private final KillBookkeeper kills;
  private final BooleanSupplier places;
  private final Counter failures;

  /**
   * Nobody has a place yet.
   *
   * @param cgroups of the containers
   * @param scores of their processes
   * @param disk which of them use it only while nobody else asks
   * @param killers told who may be killed
   * @param kills told whom Linux killed
   * @param places whether those that start now get a place
   * @param failures counts processes that keep their score
   */
  ContainerPlacement(
      ContainerCgroups cgroups,
      OomScores scores,
      IdleDisk disk,
      NodeKillers killers,
      KillBookkeeper kills,
      BooleanSupplier places,
      Counter failures) {
    this.cgroups = cgroups;
    this.scores = scores;
    this.disk = disk;
    this.killers = killers;
    this.kills = kills;
    this.places = places;
    this.failures = failures;
  }

  @Override
  public boolean placesNow() {
    return places.getAsBoolean();
  }

  /** Its cgroup says so; where there are none at all, nobody can tell. */
  @Override
  public boolean wasPlaced(String containerId) {
    return cgroups.has(containerId) || (placesNow() && cgroups.layout().isEmpty());
  }

  @Override
  public Optional<LaunchPrefix> starting(ContainerInfo container, boolean placed) {
    if (!placed) {
      return Optional.empty();
    }
    List<Path> joins = cgroups.create(container);
    if (!joins.isEmpty()) {
      killers.kernel().ifPresent(guard -> guard.started(container));
    }
    return Optional.of(
        new LaunchPrefix(scores.scoreOf(container), joins, disk.wordsFor(container)));
  }

  /** Also of one without a place: the kernel may have killed it while no NodeManager ran. */
  @Override
  public void reacquired(ContainerInfo container, boolean placed) {
    killers.kernel().ifPresent(guard -> guard.reacquired(container));
  }

  /** Moved whatever the mode is by now, or production would run where best-effort does. */
  @Override
  public void changed(ContainerInfo container, boolean placed) {
    if (!placed) {
      return;
    }
    Supplier<List<Long>> move = () -> cgroups.move(container);
    List<Long> processes =
        killers.kernel().map(guard -> guard.changed(container, move)).orElseGet(move);
    long unchanged = scores.change(container, processes);
    failures.inc(unchanged);
    disk.change(container, processes);
    LOG.info(
        "{} is {} now: {} processes moved, {} of them keep their oom_score_adj",
        container.containerId(),
        container.containerClass().directoryName(),
        processes.size(),
        unchanged);
  }

  /** Linux's kills are counted in the cgroup, which goes. */
  @Override
  public void stopped(String containerId, boolean placed) {
    killers.kernel().ifPresent(guard -> guard.stopped(containerId));
    if (placed) {
      if (cgroups.oomKills(containerId) > 0) {
        kills.killedByLinux(containerId);
      }
      cgroups.remove(containerId);
    }
  }
}
