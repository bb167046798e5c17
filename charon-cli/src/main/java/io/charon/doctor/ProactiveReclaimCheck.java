/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.config.ProactiveReclaimSettings;
import io.charon.nodemanager.config.RegulatorKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether memory that running containers do not use can be reclaimed here, and which kinds
 * of it.
 */
final class ProactiveReclaimCheck implements Check {
  private static final String NAME = "proactive reclaim";
  private static final String OFF = "off";

  private final KernelFiles kernel;
  private final YarnSite site;

  ProactiveReclaimCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    String mode;
    String production;
    Optional<Path> helper;
    try {
      mode = site.get(ProactiveReclaimSettings.MODE).orElse(OFF);
      production = site.get(ProactiveReclaimSettings.PRODUCTION).orElse("none");
      helper = site.get(RegulatorKeys.HELPER).map(Path::of);
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    String detail = "%s is %s".formatted(ProactiveReclaimSettings.MODE, mode);
    CheckResult ifOn = ifOn(detail, production, helper);
    return mode.equals(OFF) ? ifOn.ofOff() : ifOn;
  }

  private CheckResult ifOn(String detail, String production, Optional<Path> helper) {
    List<String> missing = new ArrayList<>();
    List<String> cures = new ArrayList<>();
    if (kernel
        .read(kernel.proc().resolve("pressure/memory"))
        .filter(text -> text.startsWith("some"))
        .isEmpty()) {
      missing.add("this kernel has no pressure stall information");
      cures.add("boot with psi=1");
    }
    if (CgroupMounts.read(kernel).v2().isEmpty()) {
      missing.add(
          "no cgroup v2 hierarchy is mounted, which provides the memory pressure of "
              + "each container");
      cures.add("mount -t cgroup2 none /sys/fs/cgroup/unified");
    }
    if (helper.filter(Files::isExecutable).isEmpty()) {
      missing.add(
          helper.map(path -> path + " cannot be run").orElse("ua-killer is not configured"));
      cures.add("install ua-killer, and set " + RegulatorKeys.HELPER + " to its path");
    }
    if (!missing.isEmpty()) {
      return CheckResult.missing(
          NAME,
          detail + "; nothing is reclaimed: " + String.join(", ", missing),
          String.join("; ", cures));
    }
    return CheckResult.ok(
        NAME, "%s; reclaims from best-effort: %s".formatted(detail, what(production)));
  }

  private String what(String production) {
    boolean swap = kernel.memoryBytes("SwapTotal").orElse(0) > 0;
    String best = swap ? "page cache and anonymous memory" : "page cache only (there is no swap)";
    return switch (production) {
      case "files" -> best + "; from production: page cache";
      case "all" ->
          best + "; from production: " + (swap ? "page cache and anonymous memory" : "page cache");
      default -> best + "; from production: nothing";
    };
  }
}
