/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;

/**
 * Upper bounds of a histogram's buckets, in the base unit of its metric; one more bucket holds
 * larger values. The bounds are the same on every node, so that nodes can be summed.
 */
enum Buckets {
  /** For metrics that are not histograms. */
  NONE,
  /** Up to ten minutes; a container that starts without waiting is in the first bucket. */
  WAIT,
  /** From 0.1 ms to 10 s: the kernel signals within a millisecond, YARN after 250 ms or more. */
  KILL,
  /** From 1 ms to 2.5 s: a tick takes some milliseconds, and by default there is one per second. */
  TICK,
  /** From 1 MiB to 16 GiB in factors of four. */
  BYTES;

  private static final double MEBIBYTE = 1 << 20;

  /** Returns the recorded units (nanoseconds, bytes) per base unit (second, byte). */
  double recordedPerUnit() {
    return this == BYTES ? 1 : TimeUnit.SECONDS.toNanos(1);
  }

  /** Returns the bounds in ascending order, in the base unit. */
  double[] bounds() {
    return switch (this) {
      case NONE -> new double[0];
      case WAIT -> new double[] {0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600};
      case KILL ->
          new double[] {0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
      case TICK -> new double[] {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5};
      case BYTES -> DoubleStream.iterate(MEBIBYTE, bytes -> 4 * bytes).limit(8).toArray();
    };
  }
}
