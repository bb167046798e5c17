/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.config.RegulatorKeys;
import io.charon.nodemanager.config.ResctrlSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks whether caches and memory bandwidth can be partitioned (Intel RDT, AMD QoS, Arm MPAM), and
 * whether the features that the operator has configured are available.
 */
final class ResctrlCheck implements Check {
  private static final String NAME = "resctrl";
  private static final String OFF = "off";
  private static final String LAW = "law";
  private static final String COUNTER = "mbm_total_bytes";
  private static final int HEXADECIMAL = 16;

  private final KernelFiles kernel;
  private final YarnSite site;

  ResctrlCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  /** The features of resctrl that the operator has configured. */
  private record Wanted(
      boolean ways, boolean bandwidth, boolean counters, String text, Path group) {}

  @Override
  public CheckResult run() {
    Wanted wanted;
    try {
      wanted = wanted();
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    boolean supported =
        kernel
            .read(kernel.proc().resolve("filesystems"))
            .orElse("")
            .lines()
            .anyMatch(line -> line.strip().endsWith("resctrl"));
    if (!supported) {
      return CheckResult.missing(
          NAME,
          "this kernel on this CPU has no resctrl file system" + wanted.text(),
          "use a CPU with RDT, QoS or MPAM and a kernel that supports it; virtual machines rarely do");
    }
    return kernel.mounts().stream()
        .filter(mount -> mount.type().equals("resctrl"))
        .findFirst()
        .map(mount -> mounted(mount.point(), wanted))
        .orElseGet(
            () ->
                CheckResult.degraded(
                    NAME,
                    "supported but not mounted" + wanted.text(),
                    "mount -t resctrl resctrl /sys/fs/resctrl"));
  }

  private Wanted wanted() {
    String waysMode = site.get(ResctrlSettings.WAYS_MODE).orElse(OFF);
    String bandwidthMode = site.get(ResctrlSettings.BANDWIDTH_MODE).orElse(OFF);
    boolean byLaw = site.get(RegulatorKeys.CPU_LIMIT).filter("cache-ways"::equals).isPresent();
    String limit = site.get(ResctrlSettings.BANDWIDTH).orElse(LAW);
    boolean bandwidth = !bandwidthMode.equals(OFF);
    List<String> words = new ArrayList<>();
    if (!waysMode.equals(OFF)) {
      words.add(
          "%s is %s: %s"
              .formatted(
                  ResctrlSettings.WAYS_MODE, waysMode, site.get(ResctrlSettings.WAYS).orElse("2")));
    }
    if (byLaw) {
      words.add(RegulatorKeys.CPU_LIMIT + " is cache-ways");
    }
    if (bandwidth) {
      words.add("%s is %s: %s".formatted(ResctrlSettings.BANDWIDTH_MODE, bandwidthMode, limit));
    }
    return new Wanted(
        !waysMode.equals(OFF) || byLaw,
        bandwidth,
        bandwidth && limit.equals(LAW),
        words.isEmpty() ? "" : "; " + String.join("; ", words),
        Path.of(site.get(ResctrlSettings.GROUP).orElse("/sys/fs/resctrl/charon")));
  }

  private CheckResult mounted(Path root, Wanted wanted) {
    Optional<String> mask = kernel.read(root.resolve("info/L3/cbm_mask"));
    boolean limits = Files.exists(root.resolve("info/MB/min_bandwidth"));
    boolean counts =
        kernel
            .read(root.resolve("info/L3_MON/mon_features"))
            .filter(features -> features.lines().anyMatch(COUNTER::equals))
            .isPresent();
    String detail =
        "mounted at %s; %s, memory bandwidth is %s and %s%s"
            .formatted(
                root,
                mask.flatMap(ResctrlCheck::ways)
                    .map(count -> count + " cache ways")
                    .orElse("the last-level cache cannot be partitioned"),
                limits ? "limited" : "not limited",
                counts ? "counted" : "not counted",
                wanted.text());
    List<String> lacking =
        Stream.of(
                wanted.ways() && mask.isEmpty() ? "cat_l3" : "",
                wanted.bandwidth() && !limits ? "mba" : "",
                wanted.counters() && !counts ? "cqm_mbm_total" : "")
            .filter(flag -> !flag.isEmpty())
            .toList();
    if (!lacking.isEmpty()) {
      return CheckResult.missing(
          NAME,
          detail,
          "use a CPU with %s in /proc/cpuinfo, or set the mode to off"
              .formatted(String.join(", ", lacking)));
    }
    if ((wanted.ways() || wanted.bandwidth()) && !Files.isDirectory(wanted.group())) {
      return CheckResult.degraded(
          NAME,
          detail + "; best-effort has no resctrl group",
          "as root: mkdir %1$s; chown the NodeManager's user %1$s/schemata %1$s/tasks %2$s/tasks"
              .formatted(wanted.group(), root));
    }
    return CheckResult.ok(NAME, detail);
  }

  private static Optional<Integer> ways(String mask) {
    try {
      return Optional.of(Long.bitCount(Long.parseLong(mask, HEXADECIMAL)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
