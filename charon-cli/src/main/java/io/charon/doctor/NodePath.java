/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.NodeCgroupPath;

/** The path of the containers' cgroups for a NodeManager started like this process. */
final class NodePath {
  private NodePath() {}

  /**
   * Returns the path below the mount points.
   *
   * @param kernel the kernel's files
   * @param configured value of {@code yarn.nodemanager.charon.cgroup.path}
   * @return the configured path if the real one cannot be determined, which other checks report
   */
  static String of(KernelFiles kernel, String configured) {
    try {
      return CgroupLayout.detect(kernel.proc(), configured).nodePath();
    } catch (CgroupException e) {
      return configured.equals(NodeCgroupPath.AUTOMATIC) ? NodeCgroupPath.ELSEWHERE : configured;
    }
  }
}
