/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A mounted cgroup hierarchy and the controllers that Charon uses in it.
 *
 * @param version the version whose file names it uses
 * @param mountPoint where it is mounted
 * @param controllers the controllers used in it; empty for the unified hierarchy of a hybrid
 *     machine, which has no controllers but can kill a whole cgroup at once
 */
public record CgroupHierarchy(
    CgroupVersion version, Path mountPoint, Set<CgroupController> controllers) {

  public CgroupHierarchy {
    controllers = Set.copyOf(controllers);
  }

  /** Returns whether the controller is used in this hierarchy. */
  public boolean has(CgroupController controller) {
    return controllers.contains(controller);
  }

  /** Returns a short name for messages: the controllers in a fixed order, or "unified". */
  public String name() {
    return controllers.isEmpty()
        ? "unified"
        : controllers.stream()
            .sorted()
            .map(controller -> controller.kernelName(version))
            .collect(Collectors.joining(","));
  }
}
