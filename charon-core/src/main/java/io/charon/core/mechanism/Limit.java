/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * What of best-effort work can be limited, and what is set of production; each in one place only.
 */
public enum Limit {
  /** Bytes that launches may count on for best-effort altogether. */
  MEMORY,
  /** Bytes that the kernel lets best-effort hold altogether. */
  MEMORY_USE,
  /** Cores' worth of CPU time of all best-effort work. */
  CPU_QUOTA,
  /** The share of the last-level cache that corresponds to a number of cores. */
  CACHE_WAYS,
  /** Percent of the memory bandwidth that there is; each socket has its own share. */
  MEMORY_BANDWIDTH,
  /** The cores that best-effort runs on. */
  CPUS,
  /** Bytes per second that best-effort may send. */
  TRAFFIC,
  /** The share of each disk's speed that best-effort may read with; 1: all. */
  DISK_READS,
  /** How much CPU time a production container may save up; set for each by itself. */
  CPU_BURST,
  /** CPU time of a production container that shares processors; set for each by itself. */
  CPU_POOL,
  /** Memory that a container holds and does not use; taken of each by itself, no limit stays. */
  COLD_MEMORY
}
