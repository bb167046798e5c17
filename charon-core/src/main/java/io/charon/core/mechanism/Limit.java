/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * A resource that can be limited for best-effort, or a setting of production; each is set by one
 * actuator only. The constants are the limits that the node itself uses; a mechanism may define
 * others.
 *
 * @param name the name in messages
 */
public record Limit(String name) {
  /** Memory in bytes that launches may assume for best-effort as a whole. */
  public static final Limit MEMORY = new Limit("MEMORY");

  /** Memory in bytes that the kernel lets best-effort use as a whole. */
  public static final Limit MEMORY_USE = new Limit("MEMORY_USE");

  /** CPU time of best-effort as a whole, in cores. */
  public static final Limit CPU_QUOTA = new Limit("CPU_QUOTA");

  /** The share of the last-level cache that corresponds to a number of cores. */
  public static final Limit CACHE_WAYS = new Limit("CACHE_WAYS");

  /** The cores on which best-effort runs. */
  public static final Limit CPUS = new Limit("CPUS");

  /** Outgoing traffic of best-effort, in bytes per second. */
  public static final Limit TRAFFIC = new Limit("TRAFFIC");

  @Override
  public String toString() {
    return name;
  }
}
