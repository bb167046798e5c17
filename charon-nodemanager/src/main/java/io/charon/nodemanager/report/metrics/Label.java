/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.util.List;

/** What tells the series of a metric apart. All values are known here: nothing grows with jobs. */
enum Label {
  /** One series only. */
  NONE(""),
  /** Whose containers: GUARANTEED or OPPORTUNISTIC. */
  CLASS("class", "production", "best_effort"),
  /** Who killed. */
  KILLER("killer", Killers.TIMED, "linux_oom"),
  /** Who killed, where Charon knows when that was decided. */
  TIMED_KILLER("killer", Killers.TIMED),
  /** Who would kill now. */
  KILLER_IN_CHARGE("killer", "kernel", "user_space"),
  /** What pause before kill did. */
  PAUSE("action", "freeze", "reclaim", "resume", "kill"),
  /** Which number of what best-effort may use. */
  RECLAIMED("kind", "now", "free", "reclaimed"),
  /** The memory regulator. */
  MEMORY("regulator", "memory"),
  /** Those whose limit is a number of bytes. */
  MEMORY_AND_LIMIT("regulator", "memory", "memory_limit"),
  /** The regulator of CPU time. */
  CPU("regulator", "cpu"),
  /** The regulator of cores. */
  CORES("regulator", "cores"),
  /** The regulators whose limit is a number of cores. */
  CPU_AND_CORES("regulator", "cpu", "cpu_water_line", "cores"),
  /** Those that know a mean load. */
  CORES_AND_WATER_LINE("regulator", "cpu_water_line", "cores"),
  /** Those that evict for memory. */
  EVICT_FOR_MEMORY("regulator", "evict_line", "evict_psi"),
  /** The one that evicts for CPU time. */
  EVICT_FOR_CPU("regulator", "evict_satisfaction"),
  /** The regulator of what is sent. */
  NETWORK("regulator", "network"),
  /** Those whose limit is a rate. */
  NETWORK_AND_DISK("regulator", "network", "disk_limit");

  /** Constants of an enum cannot name its own fields. */
  private static final class Killers {
    static final String TIMED =
        "kernel,user_space,regulator,memory_limit,pause,evict_line,evict_psi,evict_satisfaction,stop";
  }

  private final String key;
  private final String values;

  Label(String key, String... values) {
    this.key = key;
    this.values = String.join(",", values);
  }

  /** Its name; empty if there is none. */
  String key() {
    return key;
  }

  /** All values that it can have; one empty value if there is no label. */
  List<String> all() {
    return List.of(values.split(",", -1));
  }
}
