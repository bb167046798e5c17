/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

/** Who chooses the node of a best-effort container. */
public enum Placement {
  /** The ResourceManager, which counts at once what it sends. */
  CENTRAL,
  /**
   * The node of each ApplicationMaster (YARN's AMRMProxy), among the nodes that were least loaded
   * when the master last heard from the ResourceManager: nobody knows what others send meanwhile.
   */
  DISTRIBUTED
}
