/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Objects;

/**
 * The limits of launches that depend on the node's processors (our choice; the paper starts
 * containers by memory alone).
 *
 * @param starts best-effort containers that may be starting at the same time
 * @param runnablePerCore threads that run or wait for a processor, for each core of the node, from
 *     which on no best-effort container starts; 0: no limit. With 3, a thread that wants to run
 *     gets a third of a core on average: one more container would only slow down those that run
 */
public record ProcessorLimits(StartLimit starts, double runnablePerCore) {
  /** No limits. */
  public static final ProcessorLimits NONE = new ProcessorLimits(StartLimit.NONE, 0);

  /** Checks the ranges. */
  public ProcessorLimits {
    Objects.requireNonNull(starts, "starts");
    if (!(runnablePerCore >= 0) || Double.isInfinite(runnablePerCore)) {
      throw new IllegalArgumentException(
          "runnablePerCore must be 0 or more, got " + runnablePerCore);
    }
  }
}
