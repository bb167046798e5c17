/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures how long kills take that YARN carries out: the time of each decision is kept until the
 * container has ended. The kernel killer measures its own kills. Thread-safe.
 */
public final class KillDelays {
  private record Kill(
      String killer, long decidedNanos, boolean signalling, OptionalLong lastSignalNanos) {
    Kill nowSignalling() {
      return new Kill(killer, decidedNanos, true, lastSignalNanos);
    }

    Kill signalled(long nanos) {
      return new Kill(killer, decidedNanos, signalling, OptionalLong.of(nanos));
    }

    /**
     * Returns when the last signal was sent. If the container ended before the sender returned, the
     * signal had been sent by that time.
     */
    OptionalLong lastSignalOf(long stoppedNanos) {
      return signalling && lastSignalNanos.isEmpty()
          ? OptionalLong.of(stoppedNanos)
          : lastSignalNanos;
    }
  }

  private final NodeMetrics metrics;
  private final LongSupplier nanoClock;
  private final Map<String, Kill> pending = new ConcurrentHashMap<>();

  /**
   * Creates an instance that knows of no kill.
   *
   * @param metrics receives the delays
   * @param nanoClock monotonic nanoseconds
   */
  KillDelays(NodeMetrics metrics, LongSupplier nanoClock) {
    this.metrics = metrics;
    this.nanoClock = nanoClock;
  }

  /**
   * Records the decision to kill a container; a second decision on the same one changes nothing.
   */
  public void decided(String containerId, String killer) {
    pending.putIfAbsent(
        containerId, new Kill(killer, nanoClock.getAsLong(), false, OptionalLong.empty()));
  }

  /** Records that a container is about to be sent a signal that ends it. */
  public void signalling(String containerId) {
    pending.computeIfPresent(containerId, (id, kill) -> kill.nowSignalling());
  }

  /** Records that a container was sent a signal that ends it. */
  public void signalled(String containerId) {
    pending.computeIfPresent(containerId, (id, kill) -> kill.signalled(nanoClock.getAsLong()));
  }

  /** Records that all processes of a container have ended, and updates the metrics. */
  public void stopped(String containerId) {
    Kill kill = pending.remove(containerId);
    if (kill == null) {
      return;
    }
    long stoppedNanos = nanoClock.getAsLong();
    kill.lastSignalOf(stoppedNanos)
        .ifPresent(
            nanos ->
                metrics
                    .killSignal(kill.killer())
                    .update(nanos - kill.decidedNanos(), TimeUnit.NANOSECONDS));
    metrics
        .killFreed(kill.killer())
        .update(stoppedNanos - kill.decidedNanos(), TimeUnit.NANOSECONDS);
  }

  /** Forgets a container that YARN has forgotten, whether it ever ran or not. */
  public void forget(String containerId) {
    pending.remove(containerId);
  }
}
