/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

/** The two kinds of containers on a node; each kind has one parent cgroup. */
public enum ContainerClass {
  /** Containers whose resources YARN guarantees (GUARANTEED), ApplicationMasters among them. */
  PRODUCTION("production"),

  /** Containers that live on what production leaves over (OPPORTUNISTIC). */
  BEST_EFFORT("best-effort");

  private final String directoryName;

  ContainerClass(String directoryName) {
    this.directoryName = directoryName;
  }

  /** Name of the parent cgroup of this class, one path segment below the node's cgroup. */
  public String directoryName() {
    return directoryName;
  }
}
