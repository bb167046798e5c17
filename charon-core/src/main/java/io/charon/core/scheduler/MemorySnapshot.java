/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * {@code SnapMem} of the Charon paper (section 4.2): a copy of the node's available memory that is
 * charged at once with the expected peak of every launched container, because a container that has
 * just started does not use its memory yet.
 *
 * <p>Holds: available = last reading - what running containers are still expected to grow.
 */
public final class MemorySnapshot {
  private static final class Charge {
    final long expectedPeakBytes;
    long usedAtResyncBytes;

    Charge(long expectedPeakBytes) {
      this.expectedPeakBytes = expectedPeakBytes;
    }

    /** What this container takes from the snapshot: what it uses, or will. */
    long bytes() {
      return Math.max(expectedPeakBytes, usedAtResyncBytes);
    }
  }

  private final Map<String, Charge> charges = new LinkedHashMap<>();
  private boolean known;
  private long availableBytes;

  /**
   * Reads the snapshot afresh. A plain copy of the reading would forget the containers that have
   * not grown yet: {@code available - sum over charged of max(0, expectedPeak - usage)}.
   *
   * @param node the node's memory now
   * @param usedBytes working set of each container now; one that is not named uses nothing yet
   */
  public void resync(NodeMemory node, Map<String, Long> usedBytes) {
    availableBytes = node.availableBytes();
    charges.forEach(
        (containerId, charge) -> {
          charge.usedAtResyncBytes = usedBytes.getOrDefault(containerId, 0L);
          availableBytes -= Math.max(0, charge.expectedPeakBytes - charge.usedAtResyncBytes);
        });
    known = true;
  }

  /** The node's memory cannot be read: nothing is covered until the next resync. */
  public void invalidate() {
    known = false;
  }

  /**
   * Whether a container with this peak fits.
   *
   * @param expectedPeakBytes what it is expected to need at most
   */
  public boolean covers(long expectedPeakBytes) {
    return known && expectedPeakBytes <= availableBytes;
  }

  /** Whether there is a reading at all. */
  public boolean isKnown() {
    return known;
  }

  /**
   * Takes a launched container's peak off.
   *
   * @param containerId the container, not charged yet
   * @param expectedPeakBytes what it is expected to need at most
   */
  public void charge(String containerId, long expectedPeakBytes) {
    Objects.requireNonNull(containerId, "containerId");
    if (charges.putIfAbsent(containerId, new Charge(expectedPeakBytes)) != null) {
      throw new IllegalStateException(containerId + " is charged already");
    }
    availableBytes -= expectedPeakBytes;
  }

  /**
   * Returns the charge of a container that finished, was killed or was lost. Unknown ones are
   * ignored, so a second call returns nothing twice.
   *
   * @param containerId the container
   */
  public void release(String containerId) {
    Charge charge = charges.remove(containerId);
    if (charge != null) {
      availableBytes += charge.bytes();
    }
  }

  /**
   * What the next launch may need, bytes; negative while running ones are owed more than exists.
   */
  public long availableBytes() {
    return availableBytes;
  }

  /** Expected peak of every charged container, bytes, in launch order. */
  public Map<String, Long> charges() {
    Map<String, Long> copy = new LinkedHashMap<>();
    charges.forEach((containerId, charge) -> copy.put(containerId, charge.expectedPeakBytes));
    return copy;
  }
}
