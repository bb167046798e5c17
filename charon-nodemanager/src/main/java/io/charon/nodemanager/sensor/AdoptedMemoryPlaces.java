/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupLayout;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The places of adopted cgroups: the memory of best-effort is the sum over its containers. Memory
 * of a container that is not adopted, not yet, or that cannot be read counts with the rest of the
 * machine. At most {@link RoundRobinReader#MAX_READINGS} cgroups are read per tick.
 */
public final class AdoptedMemoryPlaces implements MemoryPlaces {
  private final CgroupLayout layout;
  private final Supplier<Map<String, Path>> cgroups;
  private final Supplier<Set<String>> bestEffort;
  private final RoundRobinReader<CgroupUse> uses;

  /**
   * Creates an instance without any reading.
   *
   * @param layout the layout of YARN's cgroups
   * @param cgroups cgroups that count memory, by container id
   * @param bestEffort ids of the best-effort containers
   */
  public AdoptedMemoryPlaces(
      CgroupLayout layout, Supplier<Map<String, Path>> cgroups, Supplier<Set<String>> bestEffort) {
    this.layout = layout;
    this.cgroups = cgroups;
    this.bestEffort = bestEffort;
    this.uses =
        new RoundRobinReader<>(
            cgroup -> new CgroupUse.OpenFiles(cgroup, layout.version()),
            "its memory counts with the rest of the machine");
  }

  @Override
  public CgroupLayout layout() {
    return layout;
  }

  @Override
  public CgroupUse bestEffort() {
    Collection<Path> places = new TreeSet<>();
    Map<String, Path> known = cgroups.get();
    bestEffort.get().forEach(id -> Optional.ofNullable(known.get(id)).ifPresent(places::add));
    return uses.next(places).values().stream().reduce(CgroupUse.nothing(), CgroupUse::plus);
  }

  @Override
  public boolean bestEffortRuns() {
    return !bestEffort.get().isEmpty();
  }

  @Override
  public Optional<Path> production(String containerId) {
    return Optional.ofNullable(cgroups.get().get(containerId));
  }

  @Override
  public boolean isContainers(Path cgroup) {
    return cgroup.startsWith(layout.nodeDirectory(layout.memory()))
        || cgroups.get().values().stream().anyMatch(cgroup::startsWith);
  }
}
