/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

import io.charon.core.law.SharedPool;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.sls.burst.BurstyApplication.Round;
import io.charon.sls.engine.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Twenty applications with a quota of one processor each; the mean uses of the applications are
 * normally distributed about the mean use of the pool (figure 14 of SoCC'22). The applications do
 * not delay each other: the pool never runs out of processors, and its highest use tells how many
 * of them were needed.
 */
public final class BurstPool {
  /** Standard deviation of the applications' mean uses, relative to their mean (the paper). */
  private static final double DEVIATION = 0.25;

  /** Mean uses are kept within these bounds, above 0 and below the quota (our choice). */
  private static final double MIN_MEAN = 0.05;

  private static final double HIGHEST_MEAN = 0.95;

  /** Quota of each application; the model scales to any other quota. */
  private static final Bandwidth SHARE = new Bandwidth(100_000, 100_000, 0);

  private static final long SLOT_NANOS = 100_000_000;
  private static final int SLOTS_PER_SECOND = 10;
  private static final int SLOTS_OF_HIGHEST = 5;
  private static final double NANOS_PER_MILLI = 1e6;

  private final BurstSettings settings;
  private final QuotaVariant variant;
  private final SharedPool law;
  private final List<BurstyApplication> applications = new ArrayList<>();
  private final List<QueueDelays> delays = new ArrayList<>();
  private final boolean[] throttled = new boolean[BurstSettings.APPLICATIONS];
  private long periods;
  private long throttledPeriods;
  private double quotas;
  private long rounds;

  private BurstPool(BurstSettings settings, QuotaVariant variant) {
    this.settings = settings;
    this.variant = variant;
    this.law = new SharedPool(settings.highUse());
    RandomStreams streams = new RandomStreams(settings.seed());
    long fromNanos = (long) BurstSettings.RUN_IN_SECONDS * SLOTS_PER_SECOND * SLOT_NANOS;
    for (int i = 0; i < BurstSettings.APPLICATIONS; i++) {
      Random random = streams.stream("application " + i);
      double mean = settings.load() * (1 + DEVIATION * random.nextGaussian());
      QueueDelays of = new QueueDelays(fromNanos);
      BurstyApplication application =
          new BurstyApplication(random, Math.min(HIGHEST_MEAN, Math.max(MIN_MEAN, mean)), of);
      variant.of(SHARE).ifPresent(application::setQuota);
      delays.add(of);
      applications.add(application);
    }
  }

  /**
   * Simulates one variant.
   *
   * @param settings settings that all variants share
   * @param variant the variant to simulate
   */
  public static BurstOutcome run(BurstSettings settings, QuotaVariant variant) {
    return new BurstPool(settings, variant).run();
  }

  private BurstOutcome run() {
    int runIn = BurstSettings.RUN_IN_SECONDS * SLOTS_PER_SECOND;
    int measured = settings.seconds() * SLOTS_PER_SECOND;
    int slotsPerRound = (int) (SharedPool.ROUND_MILLIS * SLOTS_PER_SECOND / 1000);
    long[] used = new long[measured];
    for (int slot = 0; slot < runIn + measured; slot++) {
      long untilNanos = (slot + 1L) * SLOT_NANOS;
      long all = 0;
      for (BurstyApplication application : applications) {
        all += application.advance(untilNanos);
      }
      if (slot >= runIn) {
        used[slot - runIn] = all;
      }
      if ((slot + 1) % slotsPerRound == 0) {
        endRound(slot >= runIn);
      }
    }
    applications.forEach(BurstyApplication::drain);
    return outcome(used);
  }

  private void endRound(boolean counts) {
    List<Round> all = applications.stream().map(BurstyApplication::takeRound).toList();
    double roundNanos = SharedPool.ROUND_MILLIS * NANOS_PER_MILLI;
    double poolCores = BurstSettings.APPLICATIONS * SHARE.cores();
    boolean full =
        law.isFull(all.stream().mapToLong(Round::usedNanos).sum() / roundNanos, poolCores);
    for (int i = 0; i < all.size(); i++) {
      Round round = all.get(i);
      BurstyApplication application = applications.get(i);
      if (counts) {
        periods += round.periods();
        throttledPeriods += round.throttled();
        throttled[i] |= round.throttled() > 0;
        quotas += application.bandwidth().map(Bandwidth::cores).orElse(SHARE.cores());
        rounds++;
      }
      if (variant.followsPool()) {
        follow(application, round, roundNanos, full, poolCores);
      }
    }
  }

  private void follow(
      BurstyApplication application,
      Round round,
      double roundNanos,
      boolean full,
      double poolCores) {
    Bandwidth has = application.bandwidth().orElseThrow();
    SharedPool.Decision decision =
        law.of(
            new SharedPool.Member(
                SHARE.cores(), has.cores(), round.usedNanos() / roundNanos, round.throttled() > 0),
            full,
            poolCores);
    if (decision.change() != SharedPool.Change.HOLD) {
      application.setQuota(
          new Bandwidth(
              Math.round(decision.quotaCores() * has.periodMicros()), has.periodMicros(), 0));
    }
  }

  private BurstOutcome outcome(long[] used) {
    double wholeSlots = (double) BurstSettings.APPLICATIONS * SLOT_NANOS * SHARE.cores();
    double sum = 0;
    double highest = 0;
    long together = 0;
    for (int slot = 0; slot < used.length; slot++) {
      sum += used[slot];
      together += used[slot] - (slot >= SLOTS_OF_HIGHEST ? used[slot - SLOTS_OF_HIGHEST] : 0);
      if (slot >= SLOTS_OF_HIGHEST - 1) {
        highest = Math.max(highest, together / (SLOTS_OF_HIGHEST * wholeSlots));
      }
    }
    int throttledOnes = 0;
    for (boolean one : throttled) {
      throttledOnes += one ? 1 : 0;
    }
    long requests = delays.stream().mapToLong(QueueDelays::requests).sum();
    return new BurstOutcome(
        delays.stream().mapToDouble(QueueDelays::sumNanos).sum() / NANOS_PER_MILLI / requests,
        delays.stream().mapToLong(QueueDelays::highestNanos).average().orElse(0) / NANOS_PER_MILLI,
        highest,
        sum / used.length / wholeSlots,
        (double) throttledOnes / BurstSettings.APPLICATIONS,
        periods == 0 ? 0 : (double) throttledPeriods / periods,
        quotas / rounds);
  }
}
