/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import java.util.List;

/**
 * What {@code bench burst} measured.
 *
 * @param options what it was asked
 * @param variants those that were measured, none first
 * @param kernel release of the kernel
 * @param cgroups version of cgroups, 1 or 2
 * @param processors how many CPUs
 * @param seconds how long it took
 */
public record BurstResult(
    BurstOptions options,
    List<VariantResult> variants,
    String kernel,
    int cgroups,
    int processors,
    double seconds) {
  /** Copies the list. */
  public BurstResult {
    variants = List.copyOf(variants);
  }
}
