/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.reclaim;

import io.charon.core.law.reclaim.ReclaimableContainers.Container;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/** Decides how much of one container's memory may be reclaimed, from the memory that it misses. */
final class ReclaimGate {
  private static final double PERCENT = 100;
  private static final double NANOS_PER_MINUTE = 60e9;

  /** Accuracy from which refaults are ignored (katalyst). */
  private static final double ACCURATE = 0.99;

  /** Samples more than this number of periods apart, and two ticks, do not belong to one window. */
  private static final int LOST_SAMPLES = 3;

  /** Why this amount is reclaimed. */
  enum Cause {
    /** The container was not observed for long enough. */
    NEW("not observed for long enough"),
    /** The container is too small. */
    SMALL("small"),
    /** The kernel does not report how long the container waits, or how much it refaults. */
    BLIND("without pressure stall information or counts of refaults"),
    /** The container waits for memory or for a disk. */
    WAITS("waiting for memory or for a disk"),
    /** Too much memory came back. */
    PROMOTED("left alone because they refaulted memory"),
    /** No reason prevents reclaim. */
    COLD("partly cold");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    /** Returns the cause in readable text, to follow a number of containers. */
    String text() {
      return text;
    }
  }

  /**
   * The amount that may be reclaimed.
   *
   * @param share 0 to 1; the configured percentage is multiplied by it
   * @param cause why this amount is reclaimed
   */
  record Verdict(double share, Cause cause) {}

  private record Sample(long nanos, long refaultedBytes, long takenBytes) {}

  private final ReclaimSettings settings;
  private final long gapNanos;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private OptionalLong heldSinceNanos = OptionalLong.empty();

  /**
   * Creates a gate without observations.
   *
   * @param tick the usual time between two readings, which may be longer than the period
   */
  ReclaimGate(ReclaimSettings settings, Duration tick) {
    this.settings = settings;
    this.gapNanos =
        Math.max(
            settings.period().multipliedBy(LOST_SAMPLES).toNanos(), tick.multipliedBy(2).toNanos());
  }

  /** Decides from the current and the previous samples; to be called at each sample. */
  Verdict judge(long nanos, Container seen) {
    watch(new Sample(nanos, seen.refaultedBytes(), seen.takenBytes()));
    long refaulted = seen.refaultedBytes() - samples.getFirst().refaultedBytes();
    hold(nanos, seen.bytes(), refaulted);
    boolean young = nanos - samples.getFirst().nanos() < settings.window().toNanos();
    if (heldSinceNanos.isPresent()) {
      return new Verdict(0, Cause.PROMOTED);
    }
    if (seen.bytes() < settings.leastBytes()) {
      return new Verdict(0, Cause.SMALL);
    }
    if (seen.waitedPercent().isEmpty()) {
      return new Verdict(0, Cause.BLIND);
    }
    if (young) {
      return new Verdict(0, Cause.NEW);
    }
    double calm = 1 - seen.waitedPercent().getAsDouble() / settings.waitedPercent();
    if (!(calm > 0)) {
      return new Verdict(0, Cause.WAITS);
    }
    return new Verdict(
        Math.min(1, calm)
            * accuracy(refaulted, seen.takenBytes() - samples.getFirst().takenBytes()),
        Cause.COLD);
  }

  /** Starts a new window if a clock or a counter went back, or if samples were lost. */
  private void watch(Sample now) {
    Sample before = samples.peekLast();
    if (before != null) {
      long elapsed = now.nanos() - before.nanos();
      if (elapsed < 0
          || elapsed > gapNanos
          || now.refaultedBytes() < before.refaultedBytes()
          || now.takenBytes() < before.takenBytes()) {
        samples.clear();
      }
    }
    samples.addLast(now);
    Sample oldest = samples.removeFirst();
    while (!samples.isEmpty()
        && now.nanos() - samples.getFirst().nanos() >= settings.window().toNanos()) {
      oldest = samples.removeFirst();
    }
    samples.addFirst(oldest);
  }

  /** Starts the hold again if too much memory came back in a window, or the clock went back. */
  private void hold(long nanos, long bytes, long refaulted) {
    double minutes = settings.window().toNanos() / NANOS_PER_MINUTE;
    if (refaulted > settings.promotedPercent() / PERCENT * bytes * minutes) {
      heldSinceNanos = OptionalLong.of(nanos);
    } else if (heldSinceNanos.isPresent()) {
      long held = nanos - heldSinceNanos.getAsLong();
      if (held < 0) {
        heldSinceNanos = OptionalLong.of(nanos);
      } else if (held >= settings.hold().toNanos()) {
        heldSinceNanos = OptionalLong.empty();
      }
    }
  }

  private static double accuracy(long refaulted, long taken) {
    if (taken <= 0) {
      return 1;
    }
    double accuracy = 1 - (double) refaulted / taken;
    return accuracy >= ACCURATE ? 1 : Math.max(0, accuracy);
  }
}
