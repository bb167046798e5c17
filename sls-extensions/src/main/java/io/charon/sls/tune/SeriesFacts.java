/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

/** Statistics of one series, collected sample by sample. */
final class SeriesFacts {
  private static final double NANOS_PER_SECOND = 1e9;

  private final String name;
  private final boolean capacityIsPeak;
  private long samples;
  private long measured;
  private long aboveCapacity;
  private long firstNanos;
  private long lastNanos;
  private double peak;
  private double peakShare;
  private double sum;

  SeriesFacts(String name, boolean capacityIsPeak) {
    this.name = name;
    this.capacityIsPeak = capacityIsPeak;
  }

  void add(UsageSample sample) {
    if (samples == 0) {
      firstNanos = sample.nanos();
    }
    lastNanos = sample.nanos();
    samples++;
    if (sample.value().isPresent()) {
      double value = sample.value().getAsDouble();
      double share = capacityIsPeak ? value : value / sample.capacity().getAsDouble();
      measured++;
      sum += share;
      peak = Math.max(peak, value);
      peakShare = Math.max(peakShare, share);
      if (!capacityIsPeak && share > 1) {
        aboveCapacity++;
      }
    }
  }

  String name() {
    return name;
  }

  long samples() {
    return samples;
  }

  long missing() {
    return samples - measured;
  }

  long aboveCapacity() {
    return aboveCapacity;
  }

  double seconds() {
    return (lastNanos - firstNanos) / NANOS_PER_SECOND;
  }

  /** Returns the mean time from one sample to the next, in seconds. */
  double intervalSeconds() {
    return seconds() / (samples - 1);
  }

  /** Returns the highest value. */
  double peak() {
    return peak;
  }

  /** Returns the highest used share of the capacity. */
  double peakShare() {
    return capacityIsPeak ? 1 : peakShare;
  }

  /** Returns the mean used share of the capacity. */
  double meanShare() {
    return sum / measured / (capacityIsPeak ? peak : 1);
  }

  /** Returns whether the series can be replayed. */
  boolean isUsable(int leastSamples) {
    return samples >= leastSamples && measured > 0 && peak > 0;
  }
}
