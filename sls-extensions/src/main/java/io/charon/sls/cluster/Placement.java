/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

/** The component that chooses the node of a best-effort container. */
public enum Placement {
  /** The ResourceManager, which counts the containers that it sends at once. */
  CENTRAL,
  /**
   * The node of each ApplicationMaster (YARN's AMRMProxy), among the nodes that were least loaded
   * when the master last heard from the ResourceManager. Containers that other masters send
   * meanwhile are unknown to it.
   */
  DISTRIBUTED
}
