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
import io.charon.sls.node.ContainerWork;
import io.charon.sls.node.NodeContainer;
import io.charon.sls.node.NodeState;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The launch policy of the oracle, the reference with which the policies are compared. It knows
 * every memory curve, and no work is lost. A best-effort container starts if it and all running
 * containers fit into the node for the next {@link #AHEAD_NANOS}; the container that ends soonest
 * comes first, and one that does not fit does not hold up the others. When production needs the
 * memory, best-effort tasks release it at once and continue where they were, on the node that the
 * allocator finds next.
 *
 * <p>It is no strict upper bound of the number of best-effort jobs that complete. It is greedy for
 * each task instead of optimal for jobs, because the optimum is NP-hard: a fair order, which ends
 * small jobs first, often completes more jobs, and orders of arrival sometimes complete a few more.
 * It shares with the policies YARN's placement by queue length, ApplicationMasters that wait for
 * room, and heartbeats. A test compares it with the policies on two crowded clusters and names ten
 * that may complete more jobs.
 */
final class FutureLaunchPolicy implements LaunchPolicy {
  /**
   * Time for which a container must fit. A displaced task needs seconds to be placed again, so a
   * start for a much shorter time is no gain; a check to the end of the task would leave memory
   * idle that is needed only late.
   */
  private static final long AHEAD_NANOS = Duration.ofSeconds(64).toNanos();

  /** Number of parts of that time; the highest memory of each part is compared. */
  private static final int PARTS = 16;

  private static final double PART_NANOS = (double) AHEAD_NANOS / PARTS;

  /** Maximum number of cached curves, more than the containers that wait on a node. */
  private static final int MAX_KEPT = 1024;

  private final NodeState node;
  private final double memoryBytes;

  /**
   * Memory of all running containers within each part, computed on demand; negative if not
   * computed.
   */
  private final double[] usedBytes = new double[PARTS];

  /**
   * Memory of each waiting container within each part. Whenever it starts, it starts from the same
   * progress.
   */
  private final Map<String, double[]> ownBytes = new HashMap<>();

  /**
   * The part in which the last rejected container did not fit, checked first because on a crowded
   * node it is usually the same.
   */
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
    discardStaleSums(nowNanos);
    if (ownBytes.size() > MAX_KEPT) {
      ownBytes.clear(); // Withdrawn ones are never removed.
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
    ContainerWork candidate = node.waitingPlan(containerId).work();
    double[] peaks = new double[PARTS];
    for (int part = 0; part < PARTS; part++) {
      peaks[part] = candidate.peakBytesWithin(part * PART_NANOS, (part + 1) * PART_NANOS);
    }
    return peaks;
  }

  /** Discards sums of another instant or of other running containers. */
  private void discardStaleSums(long nowNanos) {
    List<NodeContainer> containers = node.containers();
    // Containers are numbered, so another set of the same size has another last number.
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

  /** Returns the memory that all running containers will use within a part of the future. */
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
