/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.container.ContainerInfo;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * The cgroups in which the kernel killer finds a node's containers.
 *
 * @param hierarchy where the memory controller is mounted
 * @param containers the memory cgroup that contains all containers
 * @param bestEffort the memory cgroup, the same or one below it, that contains killable containers
 * @param places a container's own memory cgroup; empty if it has none
 */
public record WatchedCgroups(
    Path hierarchy,
    Path containers,
    Path bestEffort,
    Function<ContainerInfo, Optional<Path>> places) {

  /** Returns the cgroups that Charon creates. */
  public static WatchedCgroups own(CgroupLayout layout) {
    return new WatchedCgroups(
        layout.memory().mountPoint(),
        layout.nodeDirectory(layout.memory()),
        layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT),
        info ->
            Optional.of(
                layout.containerDirectory(
                    layout.memory(), info.containerClass(), info.containerId())));
  }

  /**
   * Returns the cgroups that YARN creates, where best-effort is next to production.
   *
   * @param layout a layout whose node path is YARN's hierarchy
   * @param places a container's memory cgroup, once it is known
   */
  public static WatchedCgroups adopted(
      CgroupLayout layout, Function<ContainerInfo, Optional<Path>> places) {
    Path all = layout.nodeDirectory(layout.memory());
    return new WatchedCgroups(layout.memory().mountPoint(), all, all, places);
  }
}
