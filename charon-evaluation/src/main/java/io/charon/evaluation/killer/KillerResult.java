/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.List;

/**
 * The measurements of {@code bench killer}.
 *
 * @param options options of the run
 * @param summaries one summary for each variant and size
 * @param kernel release of the kernel
 * @param processors number of CPUs
 * @param seconds duration of the run
 */
public record KillerResult(
    KillerOptions options,
    List<KillSummary> summaries,
    String kernel,
    int processors,
    double seconds) {
  /** Copies the list. */
  public KillerResult {
    summaries = List.copyOf(summaries);
  }

  List<Target> targets() {
    return KillTargets.of(summaries);
  }
}
