/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

/** Checks for pressure stall information of memory, a sign of thrashing that needs no privilege. */
final class PsiCheck implements Check {
  private static final String NAME = "PSI";

  private final KernelFiles kernel;

  PsiCheck(KernelFiles kernel) {
    this.kernel = kernel;
  }

  @Override
  public CheckResult run() {
    // With psi=0, the file exists but cannot be read.
    return kernel
        .read(kernel.proc().resolve("pressure/memory"))
        .map(text -> CheckResult.ok(NAME, text.lines().findFirst().orElse("")))
        .orElseGet(
            () ->
                CheckResult.missing(
                    NAME,
                    kernel.proc() + "/pressure/memory cannot be read",
                    "boot with psi=1 on a kernel with CONFIG_PSI=y (Linux 4.20 or later)"));
  }
}
