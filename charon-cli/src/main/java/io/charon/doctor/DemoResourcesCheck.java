/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

/** Checks whether memory and CPUs suffice for {@code charon demo}. */
final class DemoResourcesCheck implements Check {
  private static final String NAME = "demo resources";

  /**
   * Memory for two nodes of 2.5 GiB each, which are not full, two NodeManagers, a ResourceManager
   * and the demo itself.
   */
  private static final long NEEDED_BYTES = 6L << 30;

  private static final int NEEDED_CPUS = 2;

  private final KernelFiles kernel;
  private final long limitBytes;
  private final int cpus;

  /**
   * Creates a check of one machine.
   *
   * @param kernel the kernel's files
   * @param limitBytes maximum memory of this process: that of the machine, or the limit of its
   *     cgroup
   * @param cpus number of CPUs that this process may use
   */
  DemoResourcesCheck(KernelFiles kernel, long limitBytes, int cpus) {
    this.kernel = kernel;
    this.limitBytes = limitBytes;
    this.cpus = cpus;
  }

  @Override
  public CheckResult run() {
    long available = Math.min(kernel.memoryBytes("MemAvailable").orElse(0), limitBytes);
    String detail =
        "%d MiB of memory available and %d CPUs; the demo needs %d MiB and %d CPUs"
            .formatted(available >> 20, cpus, NEEDED_BYTES >> 20, NEEDED_CPUS);
    if (available >= NEEDED_BYTES && cpus >= NEEDED_CPUS) {
      return CheckResult.ok(NAME, detail);
    }
    return CheckResult.degraded(NAME, detail, "free memory, or run the demo on a larger machine");
  }
}
