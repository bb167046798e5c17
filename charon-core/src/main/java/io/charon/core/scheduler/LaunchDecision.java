/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Locale;

/**
 * The decision on a container that asks to start.
 *
 * @param containerId the container
 * @param outcome what happens to the container
 * @param verdict the reason and the numbers behind it
 */
public record LaunchDecision(String containerId, Outcome outcome, LaunchVerdict verdict) {
  /** What happens to a container. */
  public enum Outcome {
    /** It starts now. */
    LAUNCHED,
    /** It waits in the queue. */
    QUEUED,
    /** The queue is full: the container ends here, and its ApplicationMaster may ask again. */
    REJECTED
  }

  private static final long MEBIBYTE = 1024 * 1024;

  /** Returns one line for the log: container, outcome, reason, the needed memory and the limit. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s %s: %s (needs %d MiB, limit %d MiB)",
        containerId,
        outcome,
        verdict.reason().text(),
        verdict.neededBytes() / MEBIBYTE,
        verdict.limitBytes() / MEBIBYTE);
  }
}
