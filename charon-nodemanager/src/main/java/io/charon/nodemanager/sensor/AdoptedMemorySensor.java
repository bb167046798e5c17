/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The working set of every container whose memory is counted in a cgroup that others made. At most
 * {@link RoundRobinReader#MAX_READINGS} of them are read at a time.
 */
public final class AdoptedMemorySensor {
  private final CgroupLayout layout;
  private final Supplier<Map<String, Path>> cgroups;
  private final RoundRobinReader<Long> workingSets;

  /**
   * Has read nothing yet.
   *
   * @param layout where YARN has its cgroups
   * @param cgroups in which memory is counted, by container id
   */
  public AdoptedMemorySensor(CgroupLayout layout, Supplier<Map<String, Path>> cgroups) {
    this.layout = layout;
    this.cgroups = cgroups;
    this.workingSets =
        new RoundRobinReader<>(cgroup -> ContainerMemorySensor.workingSetBytes(cgroup, layout.version()));
  }

  /** Where YARN has its cgroups. */
  CgroupLayout layout() {
    return layout;
  }

  /**
   * One read of one file per container whose turn it is; one whose cgroup vanishes is absent.
   *
   * @return bytes by container id
   * @throws IOException naming the file if a cgroup that exists cannot be read
   */
  Map<String, Long> read() throws IOException {
    Map<Path, String> names = new TreeMap<>();
    cgroups.get().forEach((id, cgroup) -> names.put(cgroup, id));
    Map<String, Long> bytes = new HashMap<>();
    workingSets
        .next(names.keySet())
        .forEach((cgroup, workingSet) -> bytes.put(names.get(cgroup), workingSet));
    return bytes;
  }
}
