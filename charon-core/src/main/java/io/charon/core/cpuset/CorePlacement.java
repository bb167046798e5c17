/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

/** Where best-effort takes further cores from, on a machine with several caches or NUMA nodes. */
public enum CorePlacement {
  /** From all NUMA nodes in turn, so that the bandwidth of their memories is shared out. */
  SPREAD,
  /** From one last-level cache until that is full, so that the others are production's alone. */
  PACK
}
