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
 * {@code SnapMem} of the Charon paper (section 4.2): a copy of the node's available memory to which
 * the expected peak of every launched container is charged at once, because a container that has
 * just started does not use its memory yet.
 *
 * <p>Invariant: available = last reading - expected further growth of the running containers.
 */
public final class MemorySnapshot {
  private static final class Charge {
    final long expectedPeakBytes;
    long usedAtResyncBytes;

    Charge(long expectedPeakBytes) {
      this.expectedPeakBytes = expectedPeakBytes;
    }

    /**
     * Returns the memory that this container takes from the snapshot: the larger of its expected
     * peak and its use.
     */
    long bytes() {
      return Math.max(expectedPeakBytes, usedAtResyncBytes);
    }
  }

  private final Map<String, Charge> charges = new LinkedHashMap<>();
  private boolean known;
  private long availableBytes;

  /**
   * Updates the snapshot from a reading. A plain copy of the reading would forget the containers
   * that have not grown yet: {@code available - sum over charged of max(0, expectedPeak - usage)}.
   *
   * @param node the node's current memory
   * @param usedBytes current working set of each container; one that is not listed keeps its last,
   *     or uses nothing yet
   */
  public void resync(NodeMemory node, Map<String, Long> usedBytes) {
    availableBytes = node.availableBytes();
    charges.forEach(
        (containerId, charge) -> {
          charge.usedAtResyncBytes = usedBytes.getOrDefault(containerId, charge.usedAtResyncBytes);
          availableBytes -= Math.max(0, charge.expectedPeakBytes - charge.usedAtResyncBytes);
        });
    known = true;
  }

  /** Records that the node's memory cannot be read: no container fits until the next resync. */
  public void invalidate() {
    known = false;
  }

  /**
   * Returns whether a container with this peak fits.
   *
   * @param expectedPeakBytes the container's expected peak
   */
  public boolean covers(long expectedPeakBytes) {
    return known && expectedPeakBytes <= availableBytes;
  }

  /** Returns whether there is a valid reading. */
  public boolean isKnown() {
    return known;
  }

  /**
   * Subtracts the peak of a launched container.
   *
   * @param containerId the container, not charged yet
   * @param expectedPeakBytes its expected peak
   */
  public void charge(String containerId, long expectedPeakBytes) {
    Objects.requireNonNull(containerId, "containerId");
    if (charges.putIfAbsent(containerId, new Charge(expectedPeakBytes)) != null) {
      throw new IllegalStateException(containerId + " is charged already");
    }
    availableBytes -= expectedPeakBytes;
  }

  /**
   * Releases the charge of a container that finished, was killed or was lost. Unknown containers
   * are ignored, so a second call has no effect.
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
   * Returns the memory that the next launch may need, in bytes; negative while the expected growth
   * of the running containers exceeds the available memory.
   */
  public long availableBytes() {
    return availableBytes;
  }

  /** Returns the expected peak of every charged container, in bytes, in launch order. */
  public Map<String, Long> charges() {
    Map<String, Long> copy = new LinkedHashMap<>();
    charges.forEach((containerId, charge) -> copy.put(containerId, charge.expectedPeakBytes));
    return copy;
  }
}
