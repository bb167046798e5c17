/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.NodeCgroupPath;

/** Where a NodeManager that is started as this process was has its containers' cgroups. */
final class NodePath {
  private NodePath() {}

  /**
   * The path below the mount points.
   *
   * @param kernel the kernel's files
   * @param configured value of {@code yarn.nodemanager.charon.cgroup.path}
   * @return the configured one where nobody can tell, which other checks report
   */
  static String of(KernelFiles kernel, String configured) {
    try {
      return CgroupLayout.detect(kernel.proc(), configured).nodePath();
    } catch (CgroupException e) {
      return configured.equals(NodeCgroupPath.AUTOMATIC) ? NodeCgroupPath.ELSEWHERE : configured;
    }
  }
}
