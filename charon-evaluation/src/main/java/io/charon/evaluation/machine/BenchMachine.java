/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.nodemanager.cgroup.CgroupVersion;
import java.util.Locale;

/**
 * The machine on which a benchmark ran.
 *
 * @param kernel release of the kernel
 * @param cgroups version of the cgroups, 1 or 2
 * @param processors number of processors
 * @param loadAverage load average of the minute before the run, in processes; negative if it is
 *     unknown
 */
public record BenchMachine(String kernel, int cgroups, int processors, double loadAverage) {
  /** Returns the machine for people. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "Linux %s, cgroup v%d, %d CPUs, load average %.1f before",
        kernel,
        cgroups,
        processors,
        loadAverage);
  }

  /** Adds the machine to the JSON of a report. */
  public void putInto(ObjectNode report) {
    report
        .put("kernel", kernel)
        .put("cgroups", cgroups)
        .put("cpus", processors)
        .put("loadAverage", loadAverage);
  }

  /** Returns this machine. */
  public static BenchMachine ofThis(CgroupVersion cgroups, double loadAverage) {
    return new BenchMachine(
        System.getProperty("os.version"),
        cgroups == CgroupVersion.V1 ? 1 : 2,
        Runtime.getRuntime().availableProcessors(),
        loadAverage);
  }
}
