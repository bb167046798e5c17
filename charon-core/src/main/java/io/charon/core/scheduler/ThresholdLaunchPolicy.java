/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Map;

/**
 * The baseline that the Charon paper calls Kuber (section 2.3): a container starts if the memory
 * available now less its request exceeds a share of the node, one request at a time.
 */
public final class ThresholdLaunchPolicy implements LaunchPolicy {
  private final int thresholdPercent;
  private NodeMemory node;
  private boolean launchedSinceReading;

  /**
   * Creates a policy that launches nothing before the first reading.
   *
   * @param thresholdPercent share of the node that must stay available, 0 to 90
   */
  public ThresholdLaunchPolicy(int thresholdPercent) {
    if (thresholdPercent < 0 || thresholdPercent > 90) {
      throw new IllegalArgumentException(
          "thresholdPercent must be within 0 and 90, got " + thresholdPercent);
    }
    this.thresholdPercent = thresholdPercent;
  }

  @Override
  public LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    long neededBytes = request.requestedBytes();
    long limitBytes = launchableBytes();
    LaunchVerdict.Reason reason;
    if (node == null) {
      reason = LaunchVerdict.Reason.MEMORY_UNKNOWN;
    } else if (launchedSinceReading) {
      reason = LaunchVerdict.Reason.ONE_AT_A_TIME;
    } else if (neededBytes >= limitBytes) {
      reason = LaunchVerdict.Reason.MEMORY;
    } else {
      reason = LaunchVerdict.Reason.FITS;
    }
    return new LaunchVerdict(reason == LaunchVerdict.Reason.FITS, reason, neededBytes, limitBytes);
  }

  @Override
  public long neededAlone(LaunchRequest request, long expectedPeakBytes) {
    return request.requestedBytes();
  }

  @Override
  public void launched(String containerId, long expectedPeakBytes) {
    launchedSinceReading = true;
  }

  @Override
  public void ended(String containerId) {}

  @Override
  public void killed(long nowNanos) {}

  @Override
  public void observed(NodeMemory reading, Map<String, Long> usedBytes, long nowNanos) {
    node = reading;
    launchedSinceReading = false;
  }

  @Override
  public void unobserved() {
    node = null;
  }

  @Override
  public long launchableBytes() {
    return node == null ? 0 : node.availableBytes() - node.capacityBytes() / 100 * thresholdPercent;
  }

  @Override
  public long delayedUntilNanos(long nowNanos) {
    return nowNanos;
  }
}
