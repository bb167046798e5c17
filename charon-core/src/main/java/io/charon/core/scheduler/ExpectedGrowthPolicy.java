/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Launches on what is left when all that runs has grown as expected, plus a margin (ours; in place
 * of the peaks that {@link SnapshotLaunchPolicy} reserves for as long as a container lives):
 *
 * <p>{@code left = available - (sum of expected growth + margin x deviation of the sum)}.
 *
 * <p>Tasks of one application grow alike, so their deviations add up; applications have nothing to
 * do with one another, so there the squares do. With probes, one container at a time may start on
 * memory that was there for half a minute, whatever the estimate says: that is how a node finds out
 * that it expects too much.
 */
public final class ExpectedGrowthPolicy implements LaunchPolicy {
  /** A container says something about others of its job once it runs for so long (ours). */
  private static final int LEARNT_FROM_SECONDS = 60;

  /** Memory has to have been there for so long before it is probed (ours). */
  static final Duration STABLE = Duration.ofSeconds(30);

  /** What a probe leaves of the node's memory, percent (ours). */
  private static final int PROBE_LEAVES_PERCENT = 2;

  private static final double NANOS_PER_SECOND = 1e9;

  private static final class Running {
    final LaunchRequest request;
    final long launchedNanos;
    final long[] bytesAtAges = new long[GrowthProfile.AGES_SECONDS.length];
    int age = -1;
    long usedBytes;
    long peakBytes;
    Growth growth;
    GrowthSample provisional;

    Running(LaunchRequest request, long launchedNanos, Growth growth) {
      this.request = request;
      this.launchedNanos = launchedNanos;
      this.growth = growth;
    }
  }

  private record Reading(long nanos, long availableBytes) {}

  private final GrowthProfile profile;
  private final SafetyMargin margin;
  private final long resyncNanos;
  private final long delayNanos;
  private final boolean probes;
  private final boolean learnsEarly;
  private final Map<String, Running> running = new LinkedHashMap<>();
  private final Map<String, Double> deviations = new HashMap<>();
  private final Deque<Reading> readings = new ArrayDeque<>();
  private boolean known;
  private long capacityBytes;
  private long availableBytes;
  private double growthBytes;
  private double varianceBytes;
  private long nextResyncNanos;
  private long delayedUntilNanos;
  private boolean everDelayed;
  private long probedNanos;
  private boolean everProbed;

  /**
   * Creates a policy that launches nothing before the first reading.
   *
   * @param profile how containers grew
   * @param margin how many deviations are kept free
   * @param resync how often expectations are worked out afresh, positive
   * @param delay how long launches wait after a kill, zero or more
   * @param probes whether memory that is stable is tried out, one container at a time
   * @param learnsEarly whether a container counts provisionally while it runs, once it is past its
   *     first minute; otherwise only when it has ended
   */
  public ExpectedGrowthPolicy(
      GrowthProfile profile,
      SafetyMargin margin,
      Duration resync,
      Duration delay,
      boolean probes,
      boolean learnsEarly) {
    if (resync.isNegative() || resync.isZero() || delay.isNegative()) {
      throw new IllegalArgumentException(
          "resync must be positive and delay not negative, got %s and %s".formatted(resync, delay));
    }
    this.profile = Objects.requireNonNull(profile, "profile");
    this.margin = Objects.requireNonNull(margin, "margin");
    this.resyncNanos = resync.toNanos();
    this.delayNanos = delay.toNanos();
    this.probes = probes;
    this.learnsEarly = learnsEarly;
  }

  @Override
  public LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    Growth own = profile.expected(request.job(), request.requestedBytes(), 0, 0);
    double need = need(request, own);
    long limitBytes = launchableBytes();
    if (!known) {
      return verdict(LaunchVerdict.Reason.MEMORY_UNKNOWN, need, limitBytes);
    }
    if (delayedUntilNanos(nowNanos) - nowNanos > 0) {
      return verdict(LaunchVerdict.Reason.DELAYED_AFTER_KILL, need, limitBytes);
    }
    if (need <= limitBytes || mayProbe(own, nowNanos)) {
      return verdict(LaunchVerdict.Reason.FITS, need, limitBytes);
    }
    margin.waits(nowNanos);
    return verdict(LaunchVerdict.Reason.MEMORY, need, limitBytes);
  }

  private static LaunchVerdict verdict(LaunchVerdict.Reason reason, double need, long limitBytes) {
    return new LaunchVerdict(
        reason == LaunchVerdict.Reason.FITS, reason, Math.round(need), limitBytes);
  }

  /**
   * By how much less is left with this container. While nothing runs its request is enough, for
   * nothing else could correct what was learnt.
   */
  private double need(LaunchRequest request, Growth own) {
    double of = deviations.getOrDefault(request.owner().application(), 0.0);
    double with = of + own.deviationBytes();
    double wider = Math.sqrt(Math.max(0, varianceBytes - of * of + with * with));
    double need =
        own.meanBytes() + margin.deviations() * (wider - Math.sqrt(Math.max(0, varianceBytes)));
    return running.isEmpty() ? Math.min(need, (double) request.requestedBytes()) : need;
  }

  private boolean mayProbe(Growth own, long nowNanos) {
    if (!probes
        || readings.isEmpty()
        || nowNanos - readings.getFirst().nanos() < STABLE.toNanos()
        || (everProbed && nowNanos - probedNanos < STABLE.toNanos())) {
      return false;
    }
    long least = readings.stream().mapToLong(Reading::availableBytes).min().orElseThrow();
    return own.meanBytes()
        <= Math.min(least, availableBytes) - (double) capacityBytes / 100 * PROBE_LEAVES_PERCENT;
  }

  @Override
  public void launched(String containerId, long expectedPeakBytes) {
    throw new UnsupportedOperationException("needs to know when " + containerId + " was launched");
  }

  @Override
  public void launched(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    Growth own = profile.expected(request.job(), request.requestedBytes(), 0, 0);
    if (need(request, own) > launchableBytes()) {
      probedNanos = nowNanos;
      everProbed = true;
    }
    Running container = new Running(request, nowNanos, own);
    if (running.putIfAbsent(request.containerId(), container) != null) {
      throw new IllegalStateException(request.containerId() + " runs already");
    }
    count(container);
  }

  private void count(Running container) {
    growthBytes += container.growth.meanBytes();
    change(container.request.owner().application(), container.growth.deviationBytes());
  }

  private void change(String application, double deviationBytes) {
    double before = deviations.getOrDefault(application, 0.0);
    double after = Math.max(0, before + deviationBytes);
    varianceBytes += after * after - before * before;
    deviations.put(application, after);
  }

  @Override
  public void ended(String containerId) {
    ended(containerId, 0, true);
  }

  @Override
  public void ended(String containerId, long peakBytes, boolean truncated) {
    Running container = running.remove(containerId);
    if (container == null) {
      return;
    }
    growthBytes -= container.growth.meanBytes();
    change(container.request.owner().application(), -container.growth.deviationBytes());
    availableBytes += container.usedBytes;
    // What a killed one would have needed is not known; its kill has widened the margin.
    if (!truncated && peakBytes > 0) {
      learn(
          container,
          new GrowthSample(container.request.requestedBytes(), peakBytes, container.bytesAtAges));
    }
  }

  private void learn(Running container, GrowthSample sample) {
    if (container.provisional == null) {
      profile.record(container.request.job(), sample);
    } else {
      profile.replace(container.request.job(), container.provisional, sample);
    }
  }

  /** A container that runs for long would else be no lesson for hours. */
  private void learnWhileItRuns(Running container, double ageSeconds) {
    if (!learnsEarly || ageSeconds < LEARNT_FROM_SECONDS || container.usedBytes == 0) {
      return;
    }
    long expected =
        Math.max(
            container.peakBytes,
            profile.expectedPeakBytes(container.request.job(), ageSeconds, container.usedBytes));
    GrowthSample sample =
        new GrowthSample(container.request.requestedBytes(), expected, container.bytesAtAges);
    learn(container, sample);
    container.provisional = sample;
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
    readings.addLast(new Reading(nowNanos, availableBytes));
    while (readings.size() > 1
        && nowNanos - readings.getFirst().nanos() > STABLE.toNanos() + resyncNanos) {
      readings.removeFirst();
    }
    growthBytes = 0;
    varianceBytes = 0;
    deviations.clear();
    for (Running container : running.values()) {
      container.usedBytes = usedBytes.getOrDefault(container.request.containerId(), 0L);
      container.peakBytes = Math.max(container.peakBytes, container.usedBytes);
      double ageSeconds = (nowNanos - container.launchedNanos) / NANOS_PER_SECOND;
      int age = GrowthProfile.ageIndex(ageSeconds);
      if (age > container.age) {
        container.age = age;
        container.bytesAtAges[age] = container.usedBytes;
        learnWhileItRuns(container, ageSeconds);
      }
      container.growth =
          profile.expected(
              container.request.job(),
              container.request.requestedBytes(),
              ageSeconds,
              container.usedBytes);
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
        ? Math.round(
            availableBytes
                - growthBytes
                - margin.deviations() * Math.sqrt(Math.max(0, varianceBytes)))
        : 0;
  }

  @Override
  public long delayedUntilNanos(long nowNanos) {
    return everDelayed ? delayedUntilNanos : nowNanos;
  }
}
