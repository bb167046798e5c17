/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

/** The two classes of containers on a node; each class has one parent cgroup. */
public enum ContainerClass {
  /** Containers whose resources YARN guarantees (GUARANTEED), including ApplicationMasters. */
  PRODUCTION("production"),

  /** Containers that use resources left over by production (OPPORTUNISTIC). */
  BEST_EFFORT("best-effort");

  private final String directoryName;

  ContainerClass(String directoryName) {
    this.directoryName = directoryName;
  }

  /**
   * Returns the name of the parent cgroup of this class, one path segment below the node's cgroup.
   */
  public String directoryName() {
    return directoryName;
  }
}
