/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/**
 * The memory that counts as the node's; values of {@code
 * yarn.nodemanager.charon.node.memory-boundary}.
 */
public enum MemoryBoundary {
  /** The memory of the machine. */
  HOST,
  /** The memory of the cgroup in which the NodeManager runs. */
  SELF,
  /** The memory of the cgroup that holds the containers. */
  CGROUP
}
