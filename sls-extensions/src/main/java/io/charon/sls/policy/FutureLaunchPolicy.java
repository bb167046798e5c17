/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import io.charon.scheduler.local.LaunchPolicy;
import io.charon.scheduler.local.LaunchRequest;
import io.charon.scheduler.local.LaunchVerdict;
import io.charon.scheduler.local.NodeMemory;
import io.charon.sls.node.ContainerPlan;
import io.charon.sls.node.NodeContainer;
import io.charon.sls.node.NodeState;
import java.util.Map;

/**
 * The oracle: a best-effort container starts if, on the way to its end, it and all that runs never
 * need more than the node has. It knows every memory curve, and of production what runs already,
 * not what has yet to be submitted.
 */
final class FutureLaunchPolicy implements LaunchPolicy {
  /** Looks at this many parts of the candidate's run, at the highest memory of each. */
  private static final int PARTS = 16;

  private final NodeState node;

  FutureLaunchPolicy(NodeState node) {
    this.node = node;
  }

  @Override
  public LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    ContainerPlan candidate = node.waitingPlan(request.containerId());
    double worst = 0;
    double needed = 0;
    for (int part = 0; part < PARTS; part++) {
      double from = (double) part / PARTS;
      double to = (double) (part + 1) / PARTS;
      double own = candidate.usage().peakWithin(from, to);
      double sum = own;
      for (NodeContainer container : node.containers()) {
        sum += peak(container, from * candidate.workNanos(), to * candidate.workNanos());
      }
      if (sum > worst) {
        worst = sum;
        needed = own;
      }
    }
    boolean fits = worst <= node.size().memoryBytes();
    return new LaunchVerdict(
        fits,
        fits ? LaunchVerdict.Reason.FITS : LaunchVerdict.Reason.MEMORY,
        Math.round(needed),
        Math.round(node.size().memoryBytes() - worst + needed));
  }

  /** The most that a container uses within a time from now, at full speed. */
  private static double peak(NodeContainer container, double fromNanos, double toNanos) {
    ContainerPlan plan = container.plan();
    if (plan.isEndless() || container.isDying()) {
      return container.anonymousBytes() + container.fileBytes();
    }
    double from = container.progress() + fromNanos / plan.workNanos();
    return from >= 1
        ? 0
        : plan.usage()
            .peakWithin(from, Math.min(1, container.progress() + toNanos / plan.workNanos()));
  }

  @Override
  public void launched(String containerId, long expectedPeakBytes) {}

  @Override
  public void ended(String containerId) {}

  @Override
  public void killed(long nowNanos) {}

  @Override
  public void observed(NodeMemory memory, Map<String, Long> usedBytes, long nowNanos) {}

  @Override
  public void unobserved() {}

  @Override
  public long launchableBytes() {
    return node.availableBytes();
  }

  @Override
  public long delayedUntilNanos(long nowNanos) {
    return nowNanos;
  }
}
