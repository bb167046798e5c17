/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.NodeMemory;
import io.charon.sls.node.NodeState;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Stock YARN as the Charon paper runs it under the name of Mercury (section 5.1): a best-effort
 * container starts if the requests of all running containers stay within a share of the node,
 * whatever they really use.
 */
final class ReservationLaunchPolicy implements LaunchPolicy {
  private final NodeState node;
  private final long limitBytes;
  private final Map<String, Long> reserved = new LinkedHashMap<>();
  private long reservedBytes;

  ReservationLaunchPolicy(NodeState node, int percent) {
    this.node = node;
    this.limitBytes = node.size().memoryBytes() / 100 * percent;
  }

  @Override
  public LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    boolean fits = request.requestedBytes() <= launchableBytes();
    return new LaunchVerdict(
        fits,
        fits ? LaunchVerdict.Reason.FITS : LaunchVerdict.Reason.MEMORY,
        request.requestedBytes(),
        launchableBytes());
  }

  @Override
  public void launched(String containerId, long expectedPeakBytes) {
    long bytes = node.waitingPlan(containerId).requestedBytes();
    reserved.put(containerId, bytes);
    reservedBytes += bytes;
  }

  @Override
  public void ended(String containerId) {
    reservedBytes -= reserved.remove(containerId);
  }

  @Override
  public void killed(long nowNanos) {}

  @Override
  public void observed(NodeMemory memory, Map<String, Long> usedBytes, long nowNanos) {}

  @Override
  public void unobserved() {}

  @Override
  public long launchableBytes() {
    return limitBytes - node.guaranteedRequestedBytes() - reservedBytes;
  }

  @Override
  public long delayedUntilNanos(long nowNanos) {
    return nowNanos;
  }
}
