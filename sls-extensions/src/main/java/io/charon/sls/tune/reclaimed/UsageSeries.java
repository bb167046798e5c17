/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import io.charon.core.forecast.UseSample;
import java.util.Arrays;

/**
 * Use and request of one container, with one mean for each interval of {@link UseSample#MINUTES}.
 */
final class UsageSeries {
  private static final int FIRST_SIZE = 1 << 10;

  private final String name;
  private long first;
  private int size;
  private double[] use = new double[FIRST_SIZE];
  private double[] request = new double[FIRST_SIZE];
  private int[] samples = new int[FIRST_SIZE];

  UsageSeries(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Adds a sample; intervals must not decrease. */
  void add(long interval, double used, double requested) {
    if (size == 0) {
      first = interval;
    }
    int index = Math.toIntExact(interval - first);
    if (index >= use.length) {
      int larger = Math.max(index + 1, use.length * 2);
      use = Arrays.copyOf(use, larger);
      request = Arrays.copyOf(request, larger);
      samples = Arrays.copyOf(samples, larger);
    }
    use[index] += used;
    request[index] += requested;
    samples[index]++;
    size = index + 1;
  }

  long first() {
    return first;
  }

  /** Returns the interval after the last one. */
  long end() {
    return first + size;
  }

  boolean has(long interval) {
    return interval >= first && interval < end() && samples[(int) (interval - first)] > 0;
  }

  double use(long interval) {
    int index = (int) (interval - first);
    return use[index] / samples[index];
  }

  double request(long interval) {
    int index = (int) (interval - first);
    return request[index] / samples[index];
  }
}
