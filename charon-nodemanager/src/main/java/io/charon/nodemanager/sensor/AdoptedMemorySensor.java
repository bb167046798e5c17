/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.cgroup.CgroupLayout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Reads the working set of every container whose memory is counted in an adopted cgroup. At most
 * {@link RoundRobinReader#MAX_READINGS} of them are read per tick.
 */
public final class AdoptedMemorySensor {
  private final CgroupLayout layout;
  private final Supplier<Map<String, Path>> cgroups;
  private final RoundRobinReader<WorkingSet> workingSets;

  /**
   * Creates a sensor without any reading.
   *
   * @param layout the layout of YARN's cgroups
   * @param cgroups cgroups that count memory, by container id
   */
  public AdoptedMemorySensor(CgroupLayout layout, Supplier<Map<String, Path>> cgroups) {
    this.layout = layout;
    this.cgroups = cgroups;
    this.workingSets =
        new RoundRobinReader<>(
            cgroup -> ContainerMemorySensor.workingSet(cgroup, layout.version()),
            ContainerMemorySensor.UNREADABLE);
  }

  /** Returns the layout of YARN's cgroups. */
  CgroupLayout layout() {
    return layout;
  }

  /**
   * Reads one file of each container whose turn it is; a container whose cgroup vanishes or cannot
   * be read is absent.
   *
   * @return working sets by container id
   */
  Map<String, WorkingSet> read() {
    Map<Path, String> names = new TreeMap<>();
    cgroups.get().forEach((id, cgroup) -> names.put(cgroup, id));
    Map<String, WorkingSet> read = new HashMap<>();
    workingSets
        .next(names.keySet())
        .forEach((cgroup, workingSet) -> read.put(names.get(cgroup), workingSet));
    return read;
  }
}
