/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.cpuset.Cores;
import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.cgroup.NodeCgroupPath;
import java.util.Optional;

/** Reads the location of the node's cgroups and the CPUs of each class. */
public final class CgroupKeys {
  public static final String ENABLED = "yarn.nodemanager.charon.cgroup.enabled";
  public static final String EVERY_MODE = "yarn.nodemanager.charon.cgroup.every-mode.enabled";
  public static final String PRODUCTION_CPUS = "yarn.nodemanager.charon.cgroup.production-cpus";
  public static final String BEST_EFFORT_CPUS = "yarn.nodemanager.charon.cgroup.best-effort-cpus";

  /** Not the empty string, because Hadoop drops keys with empty values. */
  private static final String ALL_CPUS = "all";

  private CgroupKeys() {}

  /** Reads the path of the node's cgroup. */
  static String path(Keys keys) {
    String path = keys.value(NodeCgroupPath.KEY);
    try {
      NodeCgroupPath.check(path);
    } catch (CgroupException e) {
      keys.problem(e.getMessage());
    }
    return path;
  }

  /** Reads the CPUs of each class; returns empty if the classes share all CPUs. */
  static Optional<CpuSplit> cpuSplit(Keys keys, boolean cgroups) {
    String production = keys.value(PRODUCTION_CPUS);
    String bestEffort = keys.value(BEST_EFFORT_CPUS);
    if (production.equals(ALL_CPUS) && bestEffort.equals(ALL_CPUS)) {
      return Optional.empty();
    }
    if (production.equals(ALL_CPUS) || bestEffort.equals(ALL_CPUS)) {
      keys.problem(
          (production.equals(ALL_CPUS) ? PRODUCTION_CPUS : BEST_EFFORT_CPUS)
              + " is 'all', but the CPUs of the other class are listed; set both lists or none");
      return Optional.empty();
    }
    if (!cgroups) {
      keys.problem(PRODUCTION_CPUS + " needs " + ENABLED + " to be true");
    }
    boolean valid = isCpuList(keys, PRODUCTION_CPUS, production);
    valid = isCpuList(keys, BEST_EFFORT_CPUS, bestEffort) && valid;
    return valid ? Optional.of(new CpuSplit(production, bestEffort)) : Optional.empty();
  }

  private static boolean isCpuList(Keys keys, String key, String list) {
    try {
      if (!Cores.parse(list).isEmpty()) {
        return true;
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the problem that names the allowed values.
    }
    keys.wrong(key, list, "all, or a list of CPUs such as 0-3,8");
    return false;
  }
}
