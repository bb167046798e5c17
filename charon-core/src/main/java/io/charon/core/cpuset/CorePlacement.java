/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

/** Where best-effort gets further cores, on a machine with several caches or NUMA nodes. */
public enum CorePlacement {
  /** From all NUMA nodes in turn, so that best-effort's use of memory bandwidth is distributed. */
  SPREAD,
  /** From one last-level cache until it is full, so that production has the other caches alone. */
  PACK
}
