/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.List;

/**
 * What {@code bench killer} measured.
 *
 * @param options what was asked
 * @param summaries one for each variant and size
 * @param kernel release of the kernel
 * @param processors how many CPUs
 * @param seconds how long it took
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
