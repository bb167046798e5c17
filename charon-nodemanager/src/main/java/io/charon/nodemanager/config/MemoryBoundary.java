/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

/** Whose memory a node has; values of {@code yarn.nodemanager.charon.node.memory-boundary}. */
public enum MemoryBoundary {
  /** The machine's. */
  HOST,
  /** That of the memory cgroup in which the NodeManager runs. */
  SELF,
  /** That of the cgroup which holds the containers. */
  CGROUP
}
