/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks for hardware performance counters of the CPU (cycles, instructions, cache misses). */
final class PmuCheck implements Check {
  private static final String NAME = "PMU";

  /**
   * x86 names the device cpu (cpu_core and cpu_atom if it has two kinds of cores), Arm by its
   * generation.
   */
  private static final Pattern CPU_DEVICE = Pattern.compile("cpu|cpu_core|cpu_atom|armv\\d+_.*");

  private final KernelFiles kernel;

  PmuCheck(KernelFiles kernel) {
    this.kernel = kernel;
  }

  @Override
  public CheckResult run() {
    Path devices = kernel.sys().resolve("bus/event_source/devices");
    return cpuDevice(devices)
        .map(device -> CheckResult.ok(NAME, "hardware counters in " + device))
        .orElseGet(
            () ->
                CheckResult.missing(
                    NAME,
                    "no CPU device in " + devices + ": no hardware counters",
                    "use bare metal, or have the hypervisor expose a virtual PMU"));
  }

  private static Optional<Path> cpuDevice(Path devices) {
    try (Stream<Path> entries = Files.list(devices)) {
      return entries
          .filter(entry -> CPU_DEVICE.matcher(entry.getFileName().toString()).matches())
          .sorted()
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
