/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;
import java.util.List;

/**
 * Options of {@code bench killer}.
 *
 * @param variants names from {@link KillVariants#NAMES}, in the order of the table
 * @param sizes sizes of the containers, megabytes
 * @param kills attempts for each variant and size, at least 1
 * @param tolerance cgth_time, at least 100 ms
 * @param patienceWithLinux timeout for Linux's OOM killer
 */
public record KillerOptions(
    List<String> variants,
    List<Integer> sizes,
    int kills,
    Duration tolerance,
    Duration patienceWithLinux) {
  /** Copies the lists without any checks. */
  public KillerOptions {
    variants = List.copyOf(variants);
    sizes = List.copyOf(sizes);
  }
}
