/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.kill;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The rule of the user-space killer (the Charon paper's Kuber, section 2.3): when less than a given
 * share of the node's memory is available, the newest best-effort container is killed. Only one
 * container is killed at a time: while a victim is still releasing its memory, no other container
 * is killed. This is our choice: the paper kills until memory is free, and memory becomes free only
 * after a victim is gone.
 */
public final class LowMemoryRule {
  private final int thresholdPercent;

  /**
   * Creates the rule.
   *
   * @param thresholdPercent share of the node that must stay available, 0 (never kill) to 90
   */
  public LowMemoryRule(int thresholdPercent) {
    if (thresholdPercent < 0 || thresholdPercent > 90) {
      throw new IllegalArgumentException(
          "thresholdPercent must be within 0 and 90, got " + thresholdPercent);
    }
    this.thresholdPercent = thresholdPercent;
  }

  /** Returns whether the rule kills at all: with a threshold of 0 it does not. */
  public boolean everKills() {
    return thresholdPercent > 0;
  }

  /**
   * Returns the available memory below which a container is killed.
   *
   * @param capacityBytes the node's memory
   * @return bytes
   */
  public long thresholdBytes(long capacityBytes) {
    return capacityBytes / 100 * thresholdPercent;
  }

  /**
   * Chooses the container to kill now.
   *
   * @param capacityBytes the node's memory
   * @param availableBytes the available part of it, less the request of a production container that
   *     is just starting; may be negative
   * @param oldestFirst the running best-effort containers, in launch order
   * @param dying whether an earlier victim is still releasing its memory
   * @return the victim's container id; empty if no container is to be killed
   */
  public Optional<String> victim(
      long capacityBytes, long availableBytes, List<String> oldestFirst, boolean dying) {
    Objects.requireNonNull(oldestFirst, "oldestFirst");
    if (!everKills()
        || dying
        || oldestFirst.isEmpty()
        || availableBytes >= thresholdBytes(capacityBytes)) {
      return Optional.empty();
    }
    return Optional.of(oldestFirst.get(oldestFirst.size() - 1));
  }
}
