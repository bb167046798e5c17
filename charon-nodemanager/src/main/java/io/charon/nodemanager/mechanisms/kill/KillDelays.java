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
 * How long kills take that YARN carries out: the time of each decision is kept until the container
 * has ended. The kernel killer measures its own. Thread-safe.
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

    /** Who has stopped before its sender came back was sent the signal by then. */
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
   * Knows of no kill yet.
   *
   * @param metrics takes the delays
   * @param nanoClock monotonic nanoseconds
   */
  KillDelays(NodeMetrics metrics, LongSupplier nanoClock) {
    this.metrics = metrics;
    this.nanoClock = nanoClock;
  }

  /** A container is to be killed; a second decision on the same one changes nothing. */
  public void decided(String containerId, String killer) {
    pending.putIfAbsent(
        containerId, new Kill(killer, nanoClock.getAsLong(), false, OptionalLong.empty()));
  }

  /** A container is about to be sent a signal that ends it. */
  public void signalling(String containerId) {
    pending.computeIfPresent(containerId, (id, kill) -> kill.nowSignalling());
  }

  /** A container was sent a signal that ends it. */
  public void signalled(String containerId) {
    pending.computeIfPresent(containerId, (id, kill) -> kill.signalled(nanoClock.getAsLong()));
  }

  /** All processes of a container have ended. */
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

  /** YARN has forgotten a container, whether it ever ran or not. */
  public void forget(String containerId) {
    pending.remove(containerId);
  }
}
