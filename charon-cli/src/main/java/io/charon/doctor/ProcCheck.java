/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

/** Checks procfs: every decision of Charon starts from {@code /proc/meminfo}. */
final class ProcCheck implements Check {
  private static final String NAME = "proc";

  private final KernelFiles kernel;

  ProcCheck(KernelFiles kernel) {
    this.kernel = kernel;
  }

  @Override
  public boolean essential() {
    return true;
  }

  @Override
  public CheckResult run() {
    if (kernel.memoryBytes("MemAvailable").isPresent()) {
      return CheckResult.ok(NAME, kernel.proc() + "/meminfo is readable and has MemAvailable");
    }
    return CheckResult.missing(
        NAME,
        kernel.proc()
            + "/meminfo cannot be read or has no MemAvailable (Linux 3.14 and later have it)",
        "mount -t proc proc /proc, on Linux 3.14 or later");
  }
}
