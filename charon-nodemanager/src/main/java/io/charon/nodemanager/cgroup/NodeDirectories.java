/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The paths of the node's cgroup and of the parents of its containers in each hierarchy. They are
 * built once, because every tick asks for them once per container. Thread-safe.
 */
final class NodeDirectories {
  private final String nodePath;
  private final Map<Path, InHierarchy> byMountPoint = new ConcurrentHashMap<>();

  /** The paths in one hierarchy. */
  record InHierarchy(Path node, Map<ContainerClass, Path> classes) {
    /** Returns the parent cgroup of all containers of a class. */
    Path of(ContainerClass containerClass) {
      return classes.get(containerClass);
    }
  }

  private NodeDirectories(String nodePath) {
    this.nodePath = nodePath;
  }

  /**
   * Returns the paths of a node.
   *
   * @param nodePath as {@link NodeCgroupPath#of} takes it
   * @throws CgroupException as that method does
   */
  static NodeDirectories of(
      String nodePath, CgroupMount memoryMount, Optional<Path> selfMemoryDirectory)
      throws CgroupException {
    return new NodeDirectories(NodeCgroupPath.of(nodePath, memoryMount, selfMemoryDirectory));
  }

  /** Returns the node's cgroup below the mount points, such as /charon. */
  String nodePath() {
    return nodePath;
  }

  /** Returns the paths in the hierarchy that is mounted there. */
  InHierarchy in(Path mountPoint) {
    return byMountPoint.computeIfAbsent(mountPoint, this::build);
  }

  private InHierarchy build(Path mountPoint) {
    Path node = mountPoint.resolve(nodePath.substring(1));
    Map<ContainerClass, Path> classes = new EnumMap<>(ContainerClass.class);
    for (ContainerClass containerClass : ContainerClass.values()) {
      classes.put(containerClass, node.resolve(containerClass.directoryName()));
    }
    return new InHierarchy(node, classes);
  }
}
