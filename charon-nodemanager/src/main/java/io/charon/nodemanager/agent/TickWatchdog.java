/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.execution.ReadingAge;
import io.charon.nodemanager.sensor.NodeWatch;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a tick that hangs or has stopped, from a thread that the tick cannot block. While the
 * tick is late, state that only a tick keeps current is not relied on: launches stop, and the
 * user-space killer takes over as the fallback. The condition clears once a tick completes.
 * Thread-safe.
 */
public final class TickWatchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TickWatchdog.class);

  private final LongSupplier nanoClock;
  private final Runnable whileLate;
  private final long lateNanos;
  private final NodeWatch watch;
  private volatile long completedNanos;
  private boolean reported;

  /**
   * Creates a watchdog that is not started yet; it expects the first tick from now on.
   *
   * @param period the period of the tick, positive
   * @param nanoClock monotonic nanoseconds
   * @param whileLate called once per period while the tick is late; must not wait for the tick
   */
  public TickWatchdog(Duration period, LongSupplier nanoClock, Runnable whileLate) {
    this.nanoClock = nanoClock;
    this.whileLate = whileLate;
    this.lateNanos = ReadingAge.max(period).toNanos();
    this.completedNanos = nanoClock.getAsLong();
    this.watch = new NodeWatch("charon-tick-watchdog", this::check, () -> period);
  }

  /** Starts watching. */
  public void start() {
    completedNanos = nanoClock.getAsLong();
    watch.start();
  }

  /** Records that a tick completed all its steps. */
  public void completed() {
    completedNanos = nanoClock.getAsLong();
  }

  /** Returns the time since the last complete tick, in nanoseconds. */
  public long ageNanos() {
    return nanoClock.getAsLong() - completedNanos;
  }

  /** Returns the shortest time after which {@link #late} may give a reason; at least 1 ms. */
  public Duration untilLate() {
    return Duration.ofNanos(Math.max(0, lateNanos - ageNanos())).plusMillis(1);
  }

  /**
   * Returns why state that ticks keep current is not reliable; empty while ticks complete in time.
   */
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

  /** Checks the tick once; visible for tests. */
  void check() {
    Optional<String> late = late();
    if (late.isPresent()) {
      if (!reported) {
        LOG.error(
            "{}: best-effort launches stop and the user-space killer takes over until ticks complete again",
            late.get());
      }
      whileLate.run();
    } else if (reported) {
      LOG.info("the ticks of Charon complete again");
    }
    reported = late.isPresent();
  }

  @Override
  public void close() {
    watch.close();
  }
}
