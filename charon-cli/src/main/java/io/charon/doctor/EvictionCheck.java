/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether this machine has what the evictions judge by that the operator wants. */
final class EvictionCheck implements Check {
  private static final String NAME = "eviction";
  private static final String PREFIX = "yarn.nodemanager.charon.";
  private static final String LINE = PREFIX + "evict-line.mode";
  private static final String PRESSURE = PREFIX + "evict-psi.mode";
  private static final String SATISFACTION = PREFIX + "evict-satisfaction.mode";
  private static final String OFF = "off";

  private final KernelFiles kernel;
  private final YarnSite site;

  EvictionCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    String detail;
    boolean pressure;
    boolean satisfaction;
    try {
      detail =
          Stream.of(LINE, PRESSURE, SATISFACTION)
              .map(key -> key + " is " + mode(key))
              .collect(Collectors.joining("; "));
      pressure = !mode(PRESSURE).equals(OFF);
      satisfaction = !mode(SATISFACTION).equals(OFF);
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    List<String> missing = new ArrayList<>();
    List<String> cures = new ArrayList<>();
    if (!hasPressure()) {
      detail += "; this kernel has no pressure stall information";
      if (pressure) {
        missing.add(PRESSURE);
        cures.add("boot with psi=1");
      }
    }
    if (CgroupMounts.read(kernel).mountOf("cpu").isEmpty()) {
      detail += "; no cpu controller is mounted";
      if (satisfaction) {
        missing.add(SATISFACTION);
        cures.add("mount cgroup v2, or v1 with cpu");
      }
    }
    return missing.isEmpty()
        ? CheckResult.ok(NAME, detail)
        : CheckResult.missing(
            NAME,
            detail + "; evicts nobody: " + String.join(", ", missing),
            String.join("; ", cures));
  }

  private String mode(String key) {
    return site.get(key).orElse(OFF);
  }

  private boolean hasPressure() {
    return kernel
        .read(kernel.proc().resolve("pressure/memory"))
        .filter(text -> text.startsWith("some"))
        .isPresent();
  }
}
