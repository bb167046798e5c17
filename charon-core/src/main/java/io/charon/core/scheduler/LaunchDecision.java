/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * What became of a container that wanted to start.
 *
 * @param containerId the container
 * @param outcome what happens to it
 * @param verdict why
 */
public record LaunchDecision(String containerId, Outcome outcome, LaunchVerdict verdict) {
  /** What happens to a container. */
  public enum Outcome {
    /** It starts now. */
    LAUNCHED,
    /** It waits in the queue. */
    QUEUED,
    /** The queue is full: it ends here and its ApplicationMaster may ask again. */
    REJECTED
  }

  private static final long MEBIBYTE = 1024 * 1024;

  /** One line for the log: what, why, the measured value and the threshold. */
  @Override
  public String toString() {
    return "%s %s: %s (needs %d MiB, limit %d MiB)"
        .formatted(
            containerId,
            outcome,
            verdict.reason().text(),
            verdict.neededBytes() / MEBIBYTE,
            verdict.limitBytes() / MEBIBYTE);
  }
}
