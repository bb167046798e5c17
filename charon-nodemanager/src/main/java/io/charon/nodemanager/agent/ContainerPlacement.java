/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.container.ContainerCgroups;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.IdleDisk;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.container.OomScores;
import io.charon.nodemanager.container.PlacementPart;
import io.charon.nodemanager.mechanisms.kill.LinuxOomKills;
import io.charon.nodemanager.mechanisms.kill.NodeKillers;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
  private final LinuxOomKills oomKills;
  private final Function<String, Set<Long>> outside;
  private final BooleanSupplier places;
  private final PlacementRetries retries;
  private final List<PlacementPart> parts;

  /**
   * Creates a placement without any container.
   *
   * @param cgroups the containers' cgroups
   * @param scores OOM scores of their processes
   * @param disk assigns the idle I/O class, which uses the disk only while no other process does
   * @param killers registers containers with the kernel killer
   * @param oomKills handles containers of which Linux killed a process
   * @param outside the processes of a container that has none in Charon's cgroups, by its id
   * @param places whether containers that start now are placed
   * @param retries repeats what fails when a container changes its class
   * @param others the parts of such a change that concern adopted cgroups
   */
  ContainerPlacement(
      ContainerCgroups cgroups,
      OomScores scores,
      IdleDisk disk,
      NodeKillers killers,
      LinuxOomKills oomKills,
      Function<String, Set<Long>> outside,
      BooleanSupplier places,
      PlacementRetries retries,
      List<PlacementPart> others) {
    this.cgroups = cgroups;
    this.scores = scores;
    this.disk = disk;
    this.killers = killers;
    this.oomKills = oomKills;
    this.outside = outside;
    this.places = places;
    this.retries = retries;
    this.parts =
        Stream.concat(
                Stream.<PlacementPart>of(this::move, this::setScores, this::setDiskClass),
                others.stream())
            .toList();
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
      oomKills.starting(container);
      killers.kernel().ifPresent(kernelKiller -> kernelKiller.started(container));
    }
    return Optional.of(
        new LaunchPrefix(scores.scoreOf(container), joins, disk.commandFor(container)));
  }

  /**
   * Includes containers that Charon did not place, or whose cgroups are gone: the kernel may have
   * killed one of them while no NodeManager was running. One that an earlier NodeManager did not
   * move completely is moved at the next tick.
   */
  @Override
  public void reacquired(ContainerInfo container, boolean placed) {
    killers.kernel().ifPresent(kernelKiller -> kernelKiller.reacquired(container));
    oomKills.reacquired(container, placed);
    if (placed && !cgroups.isPlaced(container)) {
      retries.changeLater(
          container, parts, "it was left in another cgroup by an earlier NodeManager");
    }
  }

  /**
   * Moves the container even if the mode has changed since, because otherwise production would keep
   * running in a best-effort cgroup.
   */
  @Override
  public void changed(ContainerInfo container, boolean placed) {
    if (placed) {
      LOG.info("{} is {} now", container.containerId(), container.containerClass().directoryName());
      retries.change(container, parts);
    }
  }

  @Override
  public void resized(ContainerInfo container) {
    killers.kernel().ifPresent(kernelKiller -> kernelKiller.resized(container));
  }

  /** Ends the rest of best-effort containers of which Linux killed a process. */
  void endPartlyKilled() {
    oomKills.tick();
  }

  /** Repeats what failed when containers changed their class. */
  void tick() {
    retries.tick();
  }

  /**
   * Moves a container's processes. YARN may know the first one a moment before it enters a cgroup,
   * which is then that of the class in which the container was started.
   */
  private Optional<String> move(ContainerInfo container) {
    Supplier<Optional<String>> move =
        () -> {
          Optional<String> left = cgroups.move(container);
          oomKills.changed(container);
          return left;
        };
    Optional<String> refusal =
        killers.kernel().map(kernelKiller -> kernelKiller.changed(container, move)).orElseGet(move);
    return refusal
        .filter(reason -> !cgroups.isPlaced(container))
        .or(
            () ->
                cgroups.hasArrived(container)
                    ? Optional.empty()
                    : Optional.of("none of its processes is in its cgroup yet"));
  }

  private Optional<String> setScores(ContainerInfo container) {
    return change(
        container,
        processes -> {
          long unchanged = scores.change(container, processes);
          return unchanged == 0
              ? Optional.empty()
              : Optional.of(unchanged + " processes keep their oom_score_adj");
        });
  }

  private Optional<String> setDiskClass(ContainerInfo container) {
    return change(container, processes -> disk.change(container, processes));
  }

  /**
   * Changes the processes in a container's cgroups, or where there are none those below its first
   * process.
   */
  private Optional<String> change(
      ContainerInfo container, Function<Collection<Long>, Optional<String>> change) {
    String id = container.containerId();
    Collection<Long> processes = cgroups.processes(id);
    if (processes.isEmpty()) {
      processes = outside.apply(id);
    }
    return processes.isEmpty()
        ? Optional.of("its processes are not known")
        : change.apply(processes);
  }

  /** Reads the kills by Linux before the cgroup that counts them is removed. */
  @Override
  public void stopped(String containerId, boolean placed) {
    retries.stopped(containerId);
    killers.kernel().ifPresent(kernelKiller -> kernelKiller.stopped(containerId));
    if (placed) {
      oomKills.stopped(containerId);
      cgroups.remove(containerId);
    }
  }
}
