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
import io.charon.sls.node.ContainerPlan;
import io.charon.sls.node.NodeContainer;
import io.charon.sls.node.NodeState;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The oracle: the bound that the policies are held against. It knows every memory curve, and no
 * work is ever lost. A best-effort container starts as soon as it and all that runs fit the node
 * for a while to come, whoever is done soonest first, and nobody holds up others; and when
 * production needs the memory, best-effort tasks give it back in no time and go on where they were,
 * on whichever node the allocator finds next.
 *
 * <p>What it bounds: the best-effort jobs that complete under any policy that leaves production the
 * memory which it needs, and gets nothing out of memory that does not fit. Both hold for what
 * clusters can do as long as thrash costs more than the memory that it saves. What it shares with
 * the policies, and so does not bound: YARN's placement by queue length, ApplicationMasters that
 * wait for their place, heartbeats. Within these it is no optimum, which would be NP-hard to find,
 * but greedy; a test holds it against every policy on crowded clusters.
 */
final class FutureLaunchPolicy implements LaunchPolicy {
  /**
   * How far it looks ahead. Who is displaced needs seconds to be placed again, so that it does not
   * pay to start for much less; looking to the end would leave memory idle that is needed late.
   */
  private static final long AHEAD_NANOS = Duration.ofSeconds(64).toNanos();

  /** Looks at this many parts of that time, at the highest memory of each. */
  private static final int PARTS = 16;

  private static final double PART_NANOS = (double) AHEAD_NANOS / PARTS;

  private final NodeState node;
  private final double[] usedBytes = new double[PARTS];
  private long countedNanos = -1;
  private int countedContainers;
  private long countedNumber;

  FutureLaunchPolicy(NodeState node) {
    this.node = node;
  }

  @Override
  public LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    count(nowNanos);
    ContainerPlan candidate = node.waitingPlan(request.containerId());
    double worst = 0;
    double needed = 0;
    for (int part = 0; part < PARTS; part++) {
      double own = peak(candidate, candidate.startsAt(), part);
      if (usedBytes[part] + own > worst) {
        worst = usedBytes[part] + own;
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

  /** Sums up what all that runs will use, unless that is known for this instant. */
  private void count(long nowNanos) {
    List<NodeContainer> containers = node.containers();
    // Containers are numbered: another one with the same count is another last number.
    long last = containers.isEmpty() ? 0 : containers.get(containers.size() - 1).number();
    if (countedNanos == nowNanos
        && countedContainers == containers.size()
        && countedNumber == last) {
      return;
    }
    countedNanos = nowNanos;
    countedContainers = containers.size();
    countedNumber = last;
    Arrays.fill(usedBytes, 0);
    for (NodeContainer container : containers) {
      for (int part = 0; part < PARTS; part++) {
        usedBytes[part] +=
            container.isDying()
                ? container.anonymousBytes() + container.fileBytes()
                : peak(container.plan(), container.progress(), part);
      }
    }
  }

  /** The most that a container uses within a part of the time to come, at full speed. */
  private static double peak(ContainerPlan plan, double progress, int part) {
    if (plan.isEndless()) {
      return plan.usage().peakWithin(0, 0);
    }
    double from = progress + part * PART_NANOS / plan.workNanos();
    double to = progress + (part + 1) * PART_NANOS / plan.workNanos();
    return from >= 1 ? 0 : plan.usage().peakWithin(from, Math.min(1, to));
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
