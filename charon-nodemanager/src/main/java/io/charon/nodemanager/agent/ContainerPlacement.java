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
 * The placement of containers: their cgroups, their OOM scores and I/O classes, and their
 * registration with the kernel killer. These belong in one class because a container must not be
 * killed while it is moved.
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
   * Creates a placement without any container.
   *
   * @param cgroups the containers' cgroups
   * @param scores OOM scores of their processes
   * @param disk assigns the idle I/O class, which uses the disk only while no other process does
   * @param killers registers containers with the kernel killer
   * @param kills notified of containers that Linux killed
   * @param places whether containers that start now are placed
   * @param failures counts processes whose score could not be changed
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

  /**
   * Decides by the container's cgroup; where containers have no cgroups at all, it assumes yes if
   * the mode places containers now.
   */
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
      killers.kernel().ifPresent(kernelKiller -> kernelKiller.started(container));
    }
    return Optional.of(
        new LaunchPrefix(scores.scoreOf(container), joins, disk.commandFor(container)));
  }

  /**
   * Includes containers that Charon did not place: the kernel may have killed one of them while no
   * NodeManager was running.
   */
  @Override
  public void reacquired(ContainerInfo container, boolean placed) {
    killers.kernel().ifPresent(kernelKiller -> kernelKiller.reacquired(container));
  }

  /**
   * Moves the container even if the mode has changed since, because otherwise production would keep
   * running in a best-effort cgroup.
   */
  @Override
  public void changed(ContainerInfo container, boolean placed) {
    if (!placed) {
      return;
    }
    Supplier<List<Long>> move = () -> cgroups.move(container);
    List<Long> processes =
        killers.kernel().map(kernelKiller -> kernelKiller.changed(container, move)).orElseGet(move);
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

  /** Reads the kills by Linux before the cgroup that counts them is removed. */
  @Override
  public void stopped(String containerId, boolean placed) {
    killers.kernel().ifPresent(kernelKiller -> kernelKiller.stopped(containerId));
    if (placed) {
      if (cgroups.oomKills(containerId) > 0) {
        kills.killedByLinux(containerId);
      }
      cgroups.remove(containerId);
    }
  }
}
