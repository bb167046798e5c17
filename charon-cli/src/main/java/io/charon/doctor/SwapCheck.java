/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

/**
 * Reports the amount of swap. Charon needs none; with swap, memory pressure shows as anonymous
 * thrash, too.
 */
final class SwapCheck implements Check {
  private static final String NAME = "swap";

  private final KernelFiles kernel;

  SwapCheck(KernelFiles kernel) {
    this.kernel = kernel;
  }

  @Override
  public CheckResult run() {
    long bytes = kernel.memoryBytes("SwapTotal").orElse(0);
    return CheckResult.ok(
        NAME,
        bytes == 0
            ? "none (Charon needs none: pressure shows as eviction of file pages)"
            : "%d MiB".formatted(bytes >> 20));
  }
}
