/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupThreads;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The places of cgroups that Charon creates, where each class has a cgroup around its containers.
 */
public final class OwnMemoryPlaces implements MemoryPlaces {
  private final CgroupLayout layout;
  private final Path bestEffort;
  private final CgroupThreads bestEffortThreads;

  /** Creates the places of a layout. */
  public OwnMemoryPlaces(CgroupLayout layout) {
    this.layout = layout;
    this.bestEffort = layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT);
    this.bestEffortThreads = new CgroupThreads(bestEffort, layout.version());
  }

  @Override
  public CgroupLayout layout() {
    return layout;
  }

  @Override
  public CgroupUse bestEffort() throws IOException {
    return CgroupUse.read(bestEffort, layout.version());
  }

  @Override
  public boolean bestEffortRuns() throws IOException {
    return !bestEffortThreads.isEmpty();
  }

  @Override
  public Optional<Path> production(String containerId) {
    return Optional.of(
        layout.containerDirectory(layout.memory(), ContainerClass.PRODUCTION, containerId));
  }

  @Override
  public boolean isContainers(Path cgroup) {
    return cgroup.startsWith(bestEffort)
        || cgroup.startsWith(layout.classDirectory(layout.memory(), ContainerClass.PRODUCTION));
  }
}
