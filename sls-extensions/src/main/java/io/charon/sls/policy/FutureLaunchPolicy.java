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
import java.util.HashMap;
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

  /** More curves than containers wait on a node. */
  private static final int MAX_KEPT = 1024;

  private final NodeState node;
  private final double memoryBytes;

  /** What all that runs uses within each part, as far as anybody asked; negative if nobody did. */
  private final double[] usedBytes = new double[PARTS];

  /** Of each that waits: it starts from the same progress whenever it starts. */
  private final Map<String, double[]> ownBytes = new HashMap<>();

  /** The part that turned away the last one: on a crowded node it does so again and again. */
  private int fullPart;

  private long countedNanos = -1;
  private int countedContainers;
  private long countedNumber;

  FutureLaunchPolicy(NodeState node) {
    this.node = node;
    this.memoryBytes = node.size().memoryBytes();
  }

  @Override
  public LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    forgetOtherInstants(nowNanos);
    if (ownBytes.size() > MAX_KEPT) {
      ownBytes.clear(); // Of those that were withdrawn nobody hears again.
    }
    double[] own = ownBytes.computeIfAbsent(request.containerId(), this::peaks);
    if (!fitsWithin(fullPart, own)) {
      return verdict(false, own);
    }
    for (int part = 0; part < PARTS; part++) {
      if (!fitsWithin(part, own)) {
        fullPart = part;
        return verdict(false, own);
      }
    }
    return verdict(true, own);
  }

  private LaunchVerdict verdict(boolean fits, double[] own) {
    return new LaunchVerdict(
        fits,
        fits ? LaunchVerdict.Reason.FITS : LaunchVerdict.Reason.MEMORY,
        Math.round(own[fullPart]),
        Math.round(memoryBytes - usedBytes(fullPart)));
  }

  private boolean fitsWithin(int part, double[] own) {
    return usedBytes(part) + own[part] <= memoryBytes;
  }

  private double[] peaks(String containerId) {
    ContainerPlan candidate = node.waitingPlan(containerId);
    double[] peaks = new double[PARTS];
    for (int part = 0; part < PARTS; part++) {
      peaks[part] = candidate.peakBytesWithin(part * PART_NANOS, (part + 1) * PART_NANOS);
    }
    return peaks;
  }

  /** What was summed up holds for an instant, and for the containers that run at it. */
  private void forgetOtherInstants(long nowNanos) {
    List<NodeContainer> containers = node.containers();
    // Containers are numbered: another one with the same count is another last number.
    long last = containers.isEmpty() ? 0 : containers.get(containers.size() - 1).number();
    if (countedNanos == nowNanos
        && countedContainers == containers.size()
        && countedNumber == last) {
      return;
    }
    Arrays.fill(usedBytes, -1);
    countedNanos = nowNanos;
    countedContainers = containers.size();
    countedNumber = last;
  }

  /** What all that runs will use together within a part of the time to come. */
  private double usedBytes(int part) {
    if (usedBytes[part] < 0) {
      double sum = 0;
      for (NodeContainer container : node.containers()) {
        sum += container.peakBytesWithin(part * PART_NANOS, (part + 1) * PART_NANOS);
      }
      usedBytes[part] = sum;
    }
    return usedBytes[part];
  }

  @Override
  public void launched(String containerId, long expectedPeakBytes) {
    ownBytes.remove(containerId);
  }

  @Override
  public void ended(String containerId) {
    ownBytes.remove(containerId);
  }

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
