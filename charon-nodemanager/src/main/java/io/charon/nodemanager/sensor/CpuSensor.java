/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.CounterRate;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.ResourceUse;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reads the CPU time of foreground and best-effort, and the time for which the quota held
 * best-effort back.
 */
final class CpuSensor {
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final NodeSides sides;
  private final ProcStat machine;
  private final CounterRate machineRate = new CounterRate();
  private final Optional<CgroupHierarchy> counting;
  private final RateSum bestEffort = new RateSum(this::usedSeconds);
  private final RateSum foreground = new RateSum(this::usedSeconds);
  private final RateSum throttled = new RateSum(this::throttledSeconds);

  CpuSensor(NodeSides sides, ProcStat machine) {
    this.sides = sides;
    this.machine = machine;
    // Every v2 cgroup counts its CPU time, even without the controller; v1 needs cpuacct.
    this.counting = sides.unified().or(() -> sides.hierarchy(CgroupController.CPU));
  }

  /**
   * Reads the use of CPU time.
   *
   * @param capacity number of CPUs that best-effort may use
   */
  ResourceUse read(long nanos, Measurement capacity) {
    if (counting.isEmpty()) {
      return ResourceUse.missing("no cgroup hierarchy counts CPU time on this machine");
    }
    Measurement used = rate(bestEffort, nanos, List.of(sides.bestEffort(counting.get())));
    try {
      OptionalDouble busy = machineRate.read(nanos, machine.busySeconds());
      Measurement all =
          busy.isPresent()
              ? Measurement.of(busy.getAsDouble())
              : Measurement.missing("a rate needs two readings");
      return new ResourceUse(
          sides.isNarrowed()
              ? foreground.read(nanos, sides.foreground(counting.get()))
              : all.minus(used),
          used,
          capacity);
    } catch (IOException e) {
      return new ResourceUse(Measurement.missing(e.getMessage()), used, capacity);
    }
  }

  /** Returns how long the quota held best-effort back, seconds per second, summed over CPUs. */
  Measurement throttled(long nanos) {
    return sides
        .hierarchy(CgroupController.CPU)
        .map(hierarchy -> rate(throttled, nanos, List.of(sides.bestEffort(hierarchy))))
        .orElseGet(() -> Measurement.missing("the cpu controller is not mounted"));
  }

  /** Returns the rate of some cgroups; 0 if none of them exists. */
  private static Measurement rate(RateSum sum, long nanos, List<Path> cgroups) {
    return cgroups.stream().noneMatch(Files::isDirectory)
        ? Measurement.of(0)
        : sum.read(nanos, cgroups);
  }

  private double usedSeconds(Path cgroup) throws IOException {
    return usedSeconds(cgroup, counting.orElseThrow().version());
  }

  /**
   * Returns the CPU time of a cgroup since its creation, seconds; on v1 this needs cpuacct mounted
   * with cpu.
   */
  static double usedSeconds(Path cgroup, CgroupVersion version) throws IOException {
    if (version == CgroupVersion.V2) {
      return field(CgroupFile.CPU_STAT.path(cgroup, version), "usage_usec") / MICROS_PER_SECOND;
    }
    try (PseudoFile usage = new PseudoFile(CgroupFile.CPU_USAGE.path(cgroup, version))) {
      usage.read();
      return usage.number() / NANOS_PER_SECOND;
    }
  }

  private double throttledSeconds(Path cgroup) throws IOException {
    CgroupVersion version = sides.hierarchy(CgroupController.CPU).orElseThrow().version();
    Path stat = CgroupFile.CPU_STAT.path(cgroup, version);
    return version == CgroupVersion.V2
        ? field(stat, "throttled_usec") / MICROS_PER_SECOND
        : field(stat, "throttled_time") / NANOS_PER_SECOND;
  }

  /** Returns one counter from a file of keyed counters. */
  static long field(Path file, String key) throws IOException {
    try (PseudoFile stat = new PseudoFile(file)) {
      stat.read();
      return stat.field(key);
    }
  }
}
