/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.core.cpuset.Topology;
import io.charon.nodemanager.config.CoresKeys;
import io.charon.nodemanager.config.RegulatorKeys;
import io.charon.nodemanager.sensor.TopologyReader;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks what the processors of this machine share, and whether best-effort can be confined to some
 * of them, or to CPU time below a water line.
 */
final class CoresCheck implements Check {
  private static final String NAME = "cores";
  private static final String OFF = "off";
  private static final String NO_LINE = "0";

  /** The time that core scheduling kept processors idle; only kernels that have it count it. */
  private static final String FORCED_IDLE = "core_sched.force_idle_usec";

  private final KernelFiles kernel;
  private final YarnSite site;

  CoresCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  /**
   * A limit of best-effort's processors.
   *
   * @param key the key that turns it on
   * @param value the value of the key
   * @param on whether it is on
   * @param controller the cgroup controller that enforces it
   * @param mounted whether this machine has the controller
   */
  private record Part(String key, String value, boolean on, String controller, boolean mounted) {
    String text() {
      return "%s is %s, %s"
          .formatted(
              key,
              value,
              mounted
                  ? (on ? "works" : "would work")
                  : (on ? "does not work" : "would not work")
                      + " (the %s controller is not mounted)".formatted(controller));
    }
  }

  @Override
  public CheckResult run() {
    List<Part> parts;
    try {
      parts = parts(CgroupMounts.read(kernel));
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    String detail =
        Stream.concat(Stream.of(shared(), coreScheduling()), parts.stream().map(Part::text))
            .collect(Collectors.joining("; "));
    Optional<Part> lacking =
        parts.stream().filter(part -> part.on() && !part.mounted()).findFirst();
    return lacking
        .map(
            part ->
                CheckResult.missing(
                    NAME, detail, "mount cgroup v2, or v1 with " + part.controller()))
        .orElseGet(() -> CheckResult.ok(NAME, detail));
  }

  private List<Part> parts(CgroupMounts mounts) {
    String cores = site.get(RegulatorKeys.CORES_MODE).orElse(OFF);
    String line = site.get(CoresKeys.WATER_LINE).orElse(NO_LINE);
    // Without it the line moves the cores only.
    boolean quota = !site.get(RegulatorKeys.CPU_MODE).orElse(OFF).equals(OFF);
    return List.of(
        new Part(
            RegulatorKeys.CORES_MODE,
            cores,
            !cores.equals(OFF),
            "cpuset",
            mounts.mountOf("cpuset").isPresent()),
        new Part(
            CoresKeys.WATER_LINE,
            line,
            quota && !line.equals(NO_LINE),
            "cpu",
            mounts.mountOf("cpu").isPresent()));
  }

  private String shared() {
    Topology topology = new TopologyReader(kernel.sys()).read();
    if (topology.physicalCores().isEmpty()) {
      return "what the processors share is not known, so each counts as a core of its own";
    }
    return "processors %d, at most %d in a physical core; %s"
        .formatted(
            topology.processors().count(),
            topology.maxThreadsPerCore(topology.processors()),
            topology.counts(topology.processors()));
  }

  /** Charon does not use it: it places best-effort on whole physical cores instead. */
  private String coreScheduling() {
    Optional<String> counters =
        CgroupMounts.read(kernel)
            .v2()
            .flatMap(mount -> kernel.read(mount.resolve("cpu.stat")))
            .filter(text -> !text.isEmpty());
    if (counters.filter(text -> text.contains(FORCED_IDLE)).isPresent()) {
      return "the kernel has SMT core scheduling, which Charon does not use";
    }
    return counters.isPresent() && kernel.release() >= KernelFiles.release(6, 1)
        ? "the kernel has no SMT core scheduling"
        : "whether the kernel has SMT core scheduling is not known";
  }
}
