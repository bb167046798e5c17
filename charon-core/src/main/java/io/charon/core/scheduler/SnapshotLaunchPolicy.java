/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.Map;

/**
 * Charon's launch rule (paper, section 4.2). The memory snapshot prevents over-commitment by
 * containers that have not grown yet; the delayed launch prevents refilling a node that has just
 * killed.
 */
public final class SnapshotLaunchPolicy implements LaunchPolicy {
  private final MemorySnapshot snapshot = new MemorySnapshot();
  private final long resyncNanos;
  private final long delayNanos;
  private final boolean charges;
  private long nextResyncNanos;
  private long delayedUntilNanos;
  private boolean everDelayed;

  /**
   * Creates a policy that launches nothing before the first reading.
   *
   * @param resync the time between two updates of the snapshot, positive
   * @param delay how long launches wait after a kill, zero or more
   */
  public SnapshotLaunchPolicy(Duration resync, Duration delay) {
    this(resync, delay, true);
  }

  private SnapshotLaunchPolicy(Duration resync, Duration delay, boolean charges) {
    if (resync.isNegative() || resync.isZero()) {
      throw new IllegalArgumentException("resync must be positive, got " + resync);
    }
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay must not be negative, got " + delay);
    }
    this.resyncNanos = resync.toNanos();
    this.delayNanos = delay.toNanos();
    this.charges = charges;
  }

  /**
   * Creates the same rule without the snapshot, on plain readings, which ignore containers that
   * have not grown yet. It serves to show the benefit of the snapshot.
   *
   * @param delay how long launches wait after a kill, zero or more
   */
  public static SnapshotLaunchPolicy withoutSnapshot(Duration delay) {
    return new SnapshotLaunchPolicy(Duration.ofNanos(1), delay, false);
  }

  @Override
  public LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    long limitBytes = launchableBytes();
    if (!snapshot.isKnown()) {
      return new LaunchVerdict(
          false, LaunchVerdict.Reason.MEMORY_UNKNOWN, expectedPeakBytes, limitBytes);
    }
    if (delayedUntilNanos(nowNanos) - nowNanos > 0) {
      return new LaunchVerdict(
          false, LaunchVerdict.Reason.DELAYED_AFTER_KILL, expectedPeakBytes, limitBytes);
    }
    boolean covered = snapshot.covers(expectedPeakBytes);
    return new LaunchVerdict(
        covered,
        covered ? LaunchVerdict.Reason.FITS : LaunchVerdict.Reason.MEMORY,
        expectedPeakBytes,
        limitBytes);
  }

  @Override
  public void launched(String containerId, long expectedPeakBytes) {
    if (charges) {
      snapshot.charge(containerId, expectedPeakBytes);
    }
  }

  @Override
  public void ended(String containerId) {
    snapshot.release(containerId);
  }

  @Override
  public void killed(long nowNanos) {
    delayedUntilNanos = nowNanos + delayNanos;
    everDelayed = true;
  }

  @Override
  public void observed(NodeMemory node, Map<String, Long> usedBytes, long nowNanos) {
    if (snapshot.isKnown() && nextResyncNanos - nowNanos > 0) {
      return;
    }
    snapshot.resync(node, usedBytes);
    nextResyncNanos = nowNanos + resyncNanos;
  }

  @Override
  public void unobserved() {
    snapshot.invalidate();
  }

  @Override
  public long launchableBytes() {
    return snapshot.isKnown() ? snapshot.availableBytes() : 0;
  }

  @Override
  public long delayedUntilNanos(long nowNanos) {
    return everDelayed ? delayedUntilNanos : nowNanos;
  }
}
