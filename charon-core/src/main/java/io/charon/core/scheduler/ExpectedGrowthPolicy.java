/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Launches containers into the memory that is left when all running ones have grown as expected,
 * less a margin. This is our alternative to the peaks that {@link SnapshotLaunchPolicy} reserves
 * for a container's whole life:
 *
 * <p>{@code left = available - sum of expected growth - 2 x deviation of the sum - margin}.
 *
 * <p>Tasks of one application grow alike, so their deviations are added; applications are
 * independent, so the squares of their deviations are added.
 */
public final class ExpectedGrowthPolicy implements LaunchPolicy {
  private final JobNeeds needs;
  private final SafetyMargin margin;
  private final long resyncNanos;
  private final long delayNanos;
  private final Map<String, RunningGrowth> running = new LinkedHashMap<>();
  private final Map<String, Double> deviations = new HashMap<>();
  private boolean known;
  private long capacityBytes;
  private long availableBytes;
  private double growthBytes;
  private double varianceBytes;
  private long nextResyncNanos;
  private long delayedUntilNanos;
  private boolean everDelayed;

  /**
   * Creates a policy that launches nothing before the first reading.
   *
   * @param profile the needs of ended containers, recorded by the local scheduler
   * @param margin the memory that is kept free in addition
   * @param resync the time between two computations of the expectations, positive
   * @param delay how long launches wait after a kill, zero or more
   */
  public ExpectedGrowthPolicy(
      PeakProfile profile, SafetyMargin margin, Duration resync, Duration delay) {
    if (resync.isNegative() || resync.isZero() || delay.isNegative()) {
      throw new IllegalArgumentException(
          "resync must be positive and delay not negative, got %s and %s".formatted(resync, delay));
    }
    this.needs = new JobNeeds(Objects.requireNonNull(profile, "profile"));
    this.margin = Objects.requireNonNull(margin, "margin");
    this.resyncNanos = resync.toNanos();
    this.delayNanos = delay.toNanos();
  }

  @Override
  public LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    double need = need(request);
    LaunchVerdict.Reason reason;
    if (!known) {
      reason = LaunchVerdict.Reason.MEMORY_UNKNOWN;
    } else if (delayedUntilNanos(nowNanos) - nowNanos > 0) {
      reason = LaunchVerdict.Reason.DELAYED_AFTER_KILL;
    } else if (need > launchableBytes()) {
      margin.containerWaits(nowNanos);
      reason = LaunchVerdict.Reason.MEMORY;
    } else {
      reason = LaunchVerdict.Reason.FITS;
    }
    return new LaunchVerdict(
        reason == LaunchVerdict.Reason.FITS, reason, Math.round(need), launchableBytes());
  }

  /**
   * Returns by how much a container would reduce the memory that is left. If nothing runs, it is at
   * most the request, because no other container could correct an estimate that is too high.
   */
  private double need(LaunchRequest request) {
    Growth own = needs.of(request);
    double of = deviations.getOrDefault(request.owner().application(), 0.0);
    double with = of + own.deviationBytes();
    double need =
        own.meanBytes()
            + Growth.DEVIATIONS
                * (Math.sqrt(Math.max(0, varianceBytes - of * of + with * with))
                    - Math.sqrt(Math.max(0, varianceBytes)));
    return running.isEmpty() ? Math.min(need, (double) request.requestedBytes()) : need;
  }

  /** Also counts the memory of the running containers, as if they had ended. */
  @Override
  public boolean couldEverFit(LaunchRequest request, long expectedPeakBytes) {
    double reachable = availableBytes + usedBytes() - margin.share() * capacityBytes;
    return !known || neededAlone(request, expectedPeakBytes) <= reachable;
  }

  @Override
  public long neededAlone(LaunchRequest request, long expectedPeakBytes) {
    Growth own = needs.of(request);
    return Math.round(own.meanBytes() + Growth.DEVIATIONS * own.deviationBytes());
  }

  @Override
  public long expectedNeedBytes(LaunchRequest request, long expectedPeakBytes) {
    return Math.round(needs.of(request).meanBytes());
  }

  @Override
  public OptionalDouble marginShare() {
    return OptionalDouble.of(margin.share());
  }

  @Override
  public void restoreMargin(double share) {
    margin.restore(share);
  }

  @Override
  public OptionalLong expectedHeldBytes() {
    return OptionalLong.of(Math.round(usedBytes() + growthAndDeviationsBytes()));
  }

  /** Returns what the running containers used at the last reading, in bytes. */
  private long usedBytes() {
    return running.values().stream().mapToLong(RunningGrowth::usedBytes).sum();
  }

  @Override
  public void standStill(long nowNanos) {
    running.values().forEach(container -> container.standStill(nowNanos));
  }

  @Override
  public boolean hasSettled(String containerId) {
    RunningGrowth container = running.get(containerId);
    return container != null && container.hasSettled();
  }

  @Override
  public void launched(String containerId, long expectedPeakBytes) {
    throw new UnsupportedOperationException("needs to know when " + containerId + " was launched");
  }

  @Override
  public void launched(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    RunningGrowth container = new RunningGrowth(request, nowNanos, needs.of(request));
    if (running.putIfAbsent(request.containerId(), container) != null) {
      throw new IllegalStateException(request.containerId() + " is running already");
    }
    count(container);
  }

  @Override
  public void jobKnown(LaunchRequest request) {
    RunningGrowth container = running.get(request.containerId());
    if (container != null) {
      container.jobKnown(request);
    }
  }

  private void count(RunningGrowth container) {
    growthBytes += container.charged().meanBytes();
    change(container, container.charged().deviationBytes());
  }

  private void change(RunningGrowth container, double deviationBytes) {
    String application = container.request().owner().application();
    double before = deviations.getOrDefault(application, 0.0);
    double after = Math.max(0, before + deviationBytes);
    varianceBytes += after * after - before * before;
    deviations.put(application, after);
  }

  @Override
  public void ended(String containerId) {
    RunningGrowth container = running.remove(containerId);
    if (container != null) {
      growthBytes -= container.charged().meanBytes();
      change(container, -container.charged().deviationBytes());
      availableBytes += container.usedBytes();
    }
  }

  @Override
  public void killed(long nowNanos) {
    margin.killed();
    delayedUntilNanos = nowNanos + delayNanos;
    everDelayed = true;
  }

  @Override
  public void observed(NodeMemory node, Map<String, Long> usedBytes, long nowNanos) {
    if (known && nextResyncNanos - nowNanos > 0) {
      return;
    }
    known = true;
    nextResyncNanos = nowNanos + resyncNanos;
    capacityBytes = node.capacityBytes();
    availableBytes = node.availableBytes();
    running.forEach(
        (id, container) -> {
          Long bytes = usedBytes.get(id);
          if (bytes == null) {
            container.standStill(nowNanos);
          } else {
            container.observed(bytes, nowNanos);
          }
        });
    needs.observed(running.values());
    growthBytes = 0;
    varianceBytes = 0;
    deviations.clear();
    for (RunningGrowth container : running.values()) {
      container.charge(needs.of(container.request()));
      count(container);
    }
  }

  @Override
  public void unobserved() {
    known = false;
  }

  @Override
  public long launchableBytes() {
    return known
        ? Math.max(
            0,
            Math.round(
                availableBytes - growthAndDeviationsBytes() - margin.share() * capacityBytes))
        : 0;
  }

  /** Returns by how much the running containers are expected to grow at most, in bytes. */
  private double growthAndDeviationsBytes() {
    return growthBytes + Growth.DEVIATIONS * Math.sqrt(Math.max(0, varianceBytes));
  }

  @Override
  public long delayedUntilNanos(long nowNanos) {
    return everDelayed ? delayedUntilNanos : nowNanos;
  }
}
