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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** CPU time of both sides, and how long its quota held best-effort. */
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
    // Every cgroup of v2 counts its CPU time, with or without controller; v1 needs cpuacct.
    this.counting = sides.unified().or(() -> sides.hierarchy(CgroupController.CPU));
  }

  /**
   * Reads the use of CPU time.
   *
   * @param capacity how many CPUs best-effort may run on
   */
  ResourceUse read(long nanos, Measurement capacity) {
    if (counting.isEmpty()) {
      return ResourceUse.missing("no cgroup hierarchy counts CPU time here");
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

  /** How long the quota held best-effort, seconds per second, summed over CPUs. */
  Measurement throttled(long nanos) {
    return sides
        .hierarchy(CgroupController.CPU)
        .map(hierarchy -> rate(throttled, nanos, List.of(sides.bestEffort(hierarchy))))
        .orElseGet(() -> Measurement.missing("the cpu controller is not mounted"));
  }

  /** A side without cgroup uses nothing. */
  private static Measurement rate(RateSum sum, long nanos, List<Path> cgroups) {
    return cgroups.stream().noneMatch(Files::isDirectory)
        ? Measurement.of(0)
        : sum.read(nanos, cgroups);
  }

  private double usedSeconds(Path cgroup) throws IOException {
    return usedSeconds(cgroup, counting.orElseThrow().version());
  }

  /** CPU time of a cgroup since it was made; of version 1 where cpuacct is mounted with cpu. */
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

  /** A number of a file of keyed counters. */
  static long field(Path file, String key) throws IOException {
    try (PseudoFile stat = new PseudoFile(file)) {
      stat.read();
      return stat.field(key);
    }
  }
}
