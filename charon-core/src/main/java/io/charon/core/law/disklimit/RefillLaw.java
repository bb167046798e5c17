/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import io.charon.core.law.memorylimit.Holder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Limits best-effort's reads while production refills its page cache. A holder refills if it holds
 * less than its entitlement and its page cache grows. Its turn lasts at most as long as reading the
 * missing amount takes at a quarter of the disk's speed, or at 50 MB/s if that is less. After its
 * turn, or once it holds its entitlement, it gets no other turn for a minute. In total, reads are
 * limited for at most five minutes without interruption, and in the long run for half of the time.
 * All these numbers are our choice. A plain limit on reads, rather than a priority class that not
 * every disk honors, follows Meta's resctl-demo, where production beside a memory hog keeps 45 % of
 * its rate without control of I/O and 95 % with it.
 *
 * <p>Nothing is limited if the size of the entitlement or the speed of the disk is unknown, or
 * after unobserved time.
 */
public final class RefillLaw {
  /** Minimum growth of a refill: the cache of a service that reads now and then grows by less. */
  static final long MIN_GROWTH_BYTES = 256 << 10;

  /**
   * The time in which the cache has to grow by that much, slightly less than a second, because a
   * tick may be early; samples that follow one another sooner are compared with an older one.
   */
  private static final Duration BETWEEN = Duration.ofMillis(900);

  /** A holder whose page cache did not grow for this long is not reading. */
  static final Duration GROWING = Duration.ofSeconds(3);

  /** The divisor of the disk's speed at which production is expected to read at least. */
  static final int SPEED_DIVISOR = 4;

  /** The time between two turns of the same holder. */
  static final Duration REST = Duration.ofMinutes(1);

  /** The maximum time for which reads are limited without interruption, for all holders. */
  static final Duration MAX = Duration.ofMinutes(5);

  /** The maximum time between two samples of a holder; after a longer time, growth is unknown. */
  static final Duration UNSEEN = Duration.ofSeconds(10);

  /** A disk that streams faster does not read single pages faster (measured: 50 to 70 MB/s). */
  static final long MAX_BYTES_PER_SECOND = 50_000_000;

  /** The shortest turn, because samples are taken only about once a second. */
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  /** Minimum missing amount in bytes: a smaller one is ignored. */
  private static final long MIN_MISSING_BYTES = 8 << 20;

  private static final long NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

  /** A missing amount below a hundredth of the entitlement is ignored as well. */
  private static final long MISSING_DIVISOR = 100;

  private enum Turn {
    NONE,
    ON,
    RESTS
  }

  private static final class Refill {
    boolean seen;
    boolean grew;
    long cleanBytes;
    long seenNanos;
    long grewNanos;
    Turn turn = Turn.NONE;

    /** When the turn or the rest ends. */
    long untilNanos;
  }

  private final Map<String, Refill> refills = new HashMap<>();
  private boolean sampled;
  private boolean limiting;
  private boolean limitedEnough;
  private long lastNanos;
  private long limitedNanos;

  /**
   * Decides from one sample; to be called about once a second, or more often.
   *
   * @param nanos the current time
   * @param holders production and services, each with its entitlement; empty if that could not be
   *     read
   * @param disks the disks with their speeds
   */
  public RefillDecision decide(long nanos, Optional<List<Holder>> holders, List<Disk> disks) {
    advanceTime(nanos);
    RefillDecision decision =
        holders.isEmpty()
            ? RefillDecision.free(RefillCause.UNSEEN)
            : decide(nanos, holders.get(), disks);
    limiting = decision.cause().limits();
    return decision;
  }

  private void advanceTime(long nanos) {
    long elapsed = nanos - lastNanos;
    boolean first = !sampled;
    sampled = true;
    lastNanos = nanos;
    if (first || elapsed < 0) {
      refills.clear(); // their times are those of another clock
      return;
    }
    long counted = Math.min(elapsed, MAX.toNanos());
    limitedNanos =
        limiting
            ? Math.min(MAX.toNanos(), limitedNanos + counted)
            : Math.max(0, limitedNanos - counted);
    limitedEnough =
        limitedEnough ? limitedNanos > MAX.minus(REST).toNanos() : limitedNanos >= MAX.toNanos();
  }

  private RefillDecision decide(long nanos, List<Holder> holders, List<Disk> disks) {
    OptionalLong speed = slowestBusy(disks);
    Set<RefillCause> causes = EnumSet.of(RefillCause.NO_RIGHT);
    List<String> refilling = new ArrayList<>();
    Set<String> present = new HashSet<>();
    long missing = 0;
    for (Holder holder : holders) {
      present.add(holder.name());
      Refill refill = refills.computeIfAbsent(holder.name(), name -> new Refill());
      grow(refill, holder, nanos);
      RefillCause cause = turn(refill, holder, nanos, speed);
      causes.add(cause);
      if (cause.limits()) {
        refilling.add(holder.name());
        missing += holder.owedBytes();
      }
    }
    refills.keySet().retainAll(present);
    if (refilling.isEmpty()) {
      return RefillDecision.free(strongest(causes));
    }
    return limitedEnough
        ? RefillDecision.free(RefillCause.ENOUGH)
        : new RefillDecision(RefillCause.REFILLS, refilling, missing);
  }

  /** Returns the speed of the slowest busy disk, because production may be waiting for that one. */
  private static OptionalLong slowestBusy(List<Disk> disks) {
    return disks.stream()
        .filter(Disk::busy)
        .flatMapToLong(disk -> disk.speedBytesPerSecond().stream())
        .min();
  }

  /** Returns the strongest cause, in the order of the enum. */
  private static RefillCause strongest(Set<RefillCause> causes) {
    RefillCause strongest = RefillCause.NO_RIGHT;
    for (RefillCause cause : causes) {
      strongest = cause;
    }
    return strongest;
  }

  private static void grow(Refill refill, Holder holder, long nanos) {
    if (!refill.seen || nanos - refill.seenNanos > UNSEEN.toNanos()) {
      refill.grew = false;
    } else if (holder.cleanCacheBytes() - refill.cleanBytes >= MIN_GROWTH_BYTES) {
      refill.grew = true;
      refill.grewNanos = nanos;
    } else if (nanos - refill.seenNanos < BETWEEN.toNanos()) {
      return;
    }
    refill.seen = true;
    refill.cleanBytes = holder.cleanCacheBytes();
    refill.seenNanos = nanos;
  }

  private static RefillCause turn(Refill refill, Holder holder, long nanos, OptionalLong speed) {
    if (holder.rightBytes() == 0 || holder.rightBytes() == Holder.ALL) {
      return RefillCause.NO_RIGHT;
    }
    boolean misses =
        holder.owedBytes() > Math.max(MIN_MISSING_BYTES, holder.rightBytes() / MISSING_DIVISOR);
    boolean grows = refill.grew && nanos - refill.grewNanos <= GROWING.toNanos();
    boolean over = nanos - refill.untilNanos >= 0;
    if (refill.turn == Turn.ON && (over || !misses)) {
      refill.turn = Turn.RESTS;
      refill.untilNanos = nanos + REST.toNanos();
    } else if (refill.turn == Turn.RESTS && over) {
      refill.turn = Turn.NONE;
    }
    if (!misses || !grows) {
      return RefillCause.NONE_REFILLS;
    }
    return switch (refill.turn) {
      case ON -> RefillCause.REFILLS;
      case RESTS -> RefillCause.TIME_IS_UP;
      case NONE -> begin(refill, holder, nanos, speed);
    };
  }

  private static RefillCause begin(Refill refill, Holder holder, long nanos, OptionalLong speed) {
    if (speed.isEmpty()) {
      return RefillCause.DISK_IDLE;
    }
    long rate = Math.max(1, Math.min(MAX_BYTES_PER_SECOND, speed.getAsLong() / SPEED_DIVISOR));
    long lasts = (long) ((double) holder.owedBytes() / rate * NANOS_PER_SECOND);
    refill.turn = Turn.ON;
    refill.untilNanos = nanos + Math.min(MAX.toNanos(), Math.max(SHORTEST.toNanos(), lasts));
    return RefillCause.REFILLS;
  }
}
