/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * What of best-effort work can be limited, or what is set of production; each in one place only.
 * Here are those that a node knows beside their mechanism; any other mechanism has its own.
 *
 * @param name for messages
 */
public record Limit(String name) {
  /** Bytes that launches may count on for best-effort altogether. */
  public static final Limit MEMORY = new Limit("MEMORY");

  /** Bytes that the kernel lets best-effort hold altogether. */
  public static final Limit MEMORY_USE = new Limit("MEMORY_USE");

  /** Cores' worth of CPU time of all best-effort work. */
  public static final Limit CPU_QUOTA = new Limit("CPU_QUOTA");

  /** The share of the last-level cache that corresponds to a number of cores. */
  public static final Limit CACHE_WAYS = new Limit("CACHE_WAYS");

  /** The cores that best-effort runs on. */
  public static final Limit CPUS = new Limit("CPUS");

  /** Bytes per second that best-effort may send. */
  public static final Limit TRAFFIC = new Limit("TRAFFIC");

  @Override
  public String toString() {
    return name;
  }
}
