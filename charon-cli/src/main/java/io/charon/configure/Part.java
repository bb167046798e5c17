/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What an operator turns on and off on a node, each by one key. */
public enum Part {
  /** Who decides when best-effort containers start. */
  SCHEDULER("mode", "enforce"),
  /** Pause before kill. */
  PAUSE("pause.mode", "enforce"),
  /** The memory regulator. */
  MEMORY("regulator.memory-mode", "enforce"),
  /** The memory limit around best-effort. */
  MEMORY_LIMIT("memory-limit.mode", "enforce"),
  /** The limit of best-effort's reads while production refills its page cache. */
  DISK_LIMIT("disk-limit.mode", "enforce"),
  /** The regulator of CPU time. */
  CPU("regulator.cpu-mode", "enforce"),
  /** What production containers with a CPU quota may save up. */
  CPU_BURST("cpu-burst.mode", "enforce"),
  /** Quotas of production containers that share processors. */
  CPU_POOL("cpu-pool.mode", "enforce"),
  /** A fixed part of the last-level cache for best-effort. */
  CACHE_WAYS("cache-ways.mode", "enforce"),
  /** The limit of best-effort's memory bandwidth. */
  MEMORY_BANDWIDTH("memory-bandwidth.mode", "enforce"),
  /** Reclaim of memory that running containers do not use. */
  PROACTIVE_RECLAIM("proactive-reclaim.mode", "enforce"),
  /** Eviction above a memory line. */
  EVICT_LINE("evict-line.mode", "enforce"),
  /** Eviction under memory pressure. */
  EVICT_PSI("evict-psi.mode", "enforce"),
  /** Eviction by CPU satisfaction. */
  EVICT_SATISFACTION("evict-satisfaction.mode", "enforce"),
  /** The regulator of cores. */
  CORES("regulator.cores-mode", "enforce"),
  /** The network regulator. */
  NETWORK("regulator.network-mode", "enforce");

  private static final String PREFIX = "yarn.nodemanager.charon.";

  private final String key;
  private final String on;

  Part(String key, String on) {
    this.key = PREFIX + key;
    this.on = on;
  }

  /** The key that turns it on and off. */
  public String key() {
    return key;
  }

  /** The key's value where it acts. */
  public String on() {
    return on;
  }

  /** Its name as people write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All names, for messages. */
  public static String labels() {
    return Arrays.stream(values()).map(Part::label).collect(Collectors.joining(", "));
  }

  /**
   * The part with a name.
   *
   * @throws IllegalArgumentException naming those that there are
   */
  public static Part of(String label) {
    return Arrays.stream(values())
        .filter(part -> part.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown part '" + label + "': choose from " + labels()));
  }
}
