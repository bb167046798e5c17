/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.sensor.NodeWatch;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a tick that hangs or came to an end, from a thread that the tick cannot hold. While it is
 * late nothing that only a tick keeps true may be relied on: launches stop, and killing is the
 * fallback's. It is over by itself once a tick completes. Thread-safe.
 */
public final class TickWatchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TickWatchdog.class);

  /** After so many periods without a complete tick it is late (ours). */
  private static final int PERIODS = 3;

  /**
   * No tick is late before that, however short its period: a busy machine stalls so long (ours).
   */
  private static final Duration MIN = Duration.ofSeconds(3);

  private final LongSupplier nanoClock;
  private final Runnable whileLate;
  private final long lateNanos;
  private final NodeWatch watch;
  private volatile long completedNanos;
  private boolean said;

  /**
   * A watchdog that does not watch yet; the first tick is expected from now on.
   *
   * @param period of the tick, positive
   * @param nanoClock monotonic nanoseconds
   * @param whileLate called once per period while the tick is late, must not wait for the tick
   */
  public TickWatchdog(Duration period, LongSupplier nanoClock, Runnable whileLate) {
    this.nanoClock = nanoClock;
    this.whileLate = whileLate;
    this.lateNanos = lateAfter(period).toNanos();
    this.completedNanos = nanoClock.getAsLong();
    this.watch = new NodeWatch("charon-tick-watchdog", this::look, () -> period);
  }

  /**
   * How old the last complete tick may be, and so any reading that a tick took.
   *
   * @param period of the tick
   * @return 3 periods, at least 3 s
   */
  public static Duration lateAfter(Duration period) {
    Duration periods = period.multipliedBy(PERIODS);
    return periods.compareTo(MIN) < 0 ? MIN : periods;
  }

  /** Starts watching. */
  public void start() {
    completedNanos = nanoClock.getAsLong();
    watch.start();
  }

  /** A tick went through all its parts. */
  public void completed() {
    completedNanos = nanoClock.getAsLong();
  }

  /** Since the last complete tick, nanoseconds. */
  public long ageNanos() {
    return nanoClock.getAsLong() - completedNanos;
  }

  /** Why nobody may rely on what ticks keep true; empty while they come in time. */
  public Optional<String> late() {
    long ageNanos = ageNanos();
    return ageNanos <= lateNanos
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the last complete tick of Charon was %d s ago, expected within %d s",
                TimeUnit.NANOSECONDS.toSeconds(ageNanos),
                TimeUnit.NANOSECONDS.toSeconds(lateNanos)));
  }

  /** One look at the tick; visible for tests. */
  void look() {
    Optional<String> late = late();
    if (late.isPresent()) {
      if (!said) {
        LOG.error(
            "{}: best-effort launches stop and the user-space killer takes over until it goes on",
            late.get());
      }
      whileLate.run();
    } else if (said) {
      LOG.info("ticks of Charon complete again");
    }
    said = late.isPresent();
  }

  @Override
  public void close() {
    watch.close();
  }
}
