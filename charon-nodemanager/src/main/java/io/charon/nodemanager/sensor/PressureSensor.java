/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.Measurement;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Measures the share of time in which some thread of the foreground waited for a CPU: the rate of
 * "some total" in cpu.pressure, seconds per second, summed over the foreground's cgroups.
 */
final class PressureSensor {
  private static final double MICROS_PER_SECOND = 1e6;

  private final NodeSides sides;
  private final RateSum waited = new RateSum(PressureSensor::waitedSeconds);

  PressureSensor(NodeSides sides) {
    this.sides = sides;
  }

  /** Returns why this machine lacks the signal, with the cure; empty if it has it. */
  Optional<String> unavailable(Path procRoot) {
    if (!Files.isReadable(procRoot.resolve("pressure/cpu"))) {
      return Optional.of("the kernel has no pressure stall information: boot it with psi=1");
    }
    return sides.unified().isEmpty()
        ? Optional.of("pressure of cgroups needs a mounted cgroup v2 hierarchy")
        : Optional.empty();
  }

  Measurement read(long nanos) {
    Optional<CgroupHierarchy> unified = sides.unified();
    return unified.isEmpty()
        ? Measurement.missing("pressure of cgroups needs a mounted cgroup v2 hierarchy")
        : waited.read(nanos, sides.foreground(unified.get()));
  }

  private static double waitedSeconds(Path cgroup) throws IOException {
    Path file = CgroupFile.CPU_PRESSURE.path(cgroup, CgroupVersion.V2);
    try (PseudoFile pressure = new PseudoFile(file)) {
      pressure.read();
      return pressure.after("total=") / MICROS_PER_SECOND; // the line "some" comes first
    }
  }
}
