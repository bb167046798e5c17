/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How much more a container is expected to need, by what containers of its job, or at least of this
 * node, needed that used as much at its age (ours; the Charon paper, section 4.2, leaves the
 * estimator open). A container that is past its ramp is expected to grow little, where {@link
 * PeakProfile} goes on to reserve a high percentile until it ends.
 */
public final class GrowthProfile {
  /** Ages at which usage is compared, seconds: 5 to 5,120, doubled from 10 on (ours). */
  static final int[] AGES_SECONDS = {5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120};

  /** As in {@link PeakProfile}. */
  private static final int NEWEST_OF_ALL = 100;

  private final int windowSamples;
  private final Window all = new Window(NEWEST_OF_ALL);
  private final Map<String, Window> windows =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
          return size() > PeakProfile.MAXIMUM_JOBS;
        }
      };

  /**
   * Creates an empty profile.
   *
   * @param windowSamples containers kept per job, at least 3
   */
  public GrowthProfile(int windowSamples) {
    if (windowSamples < PeakProfile.MINIMUM_SAMPLES) {
      throw new IllegalArgumentException(
          "windowSamples must be at least %d, got %d"
              .formatted(PeakProfile.MINIMUM_SAMPLES, windowSamples));
    }
    this.windowSamples = windowSamples;
  }

  /**
   * The index of the oldest of {@link #AGES_SECONDS} that a container has reached.
   *
   * @param ageSeconds at least 0
   * @return -1 if it has reached none
   */
  static int ageIndex(double ageSeconds) {
    int index = -1;
    while (index + 1 < AGES_SECONDS.length && AGES_SECONDS[index + 1] <= ageSeconds) {
      index++;
    }
    return index;
  }

  /** Adds a container that ran to its end. */
  void record(JobKey job, GrowthSample sample) {
    window(job.value()).add(sample);
    if (!job.wider().isEmpty()) {
      window(job.wider()).add(sample);
    }
    all.add(sample);
  }

  /** A container that was recorded while it ran has ended, or is known better. */
  void replace(JobKey job, GrowthSample former, GrowthSample sample) {
    window(job.value()).replace(former, sample);
    if (!job.wider().isEmpty()) {
      window(job.wider()).replace(former, sample);
    }
    all.replace(former, sample);
  }

  /**
   * What a running container is expected to have needed in the end, by the mean of others; what it
   * uses now while too little is known of them.
   *
   * @param job the container's job
   * @param ageSeconds how long it runs
   * @param usedBytes what it uses
   */
  long expectedPeakBytes(JobKey job, double ageSeconds, long usedBytes) {
    int age = ageIndex(ageSeconds);
    if (age < 0) {
      return usedBytes;
    }
    for (String key : List.of(job.value(), job.wider())) {
      Window window = windows.get(key);
      if (window != null && window.factors(age).count() >= PeakProfile.MINIMUM_SAMPLES) {
        return Math.round(usedBytes * Math.max(1, window.factors(age).mean()));
      }
    }
    return all.factors(age).count() < PeakProfile.MINIMUM_OF_ALL
        ? usedBytes
        : Math.round(usedBytes * Math.max(1, all.factors(age).mean()));
  }

  private Window window(String job) {
    return windows.computeIfAbsent(job, key -> new Window(windowSamples));
  }

  /**
   * What a container is expected to need beyond what it uses; never more than is left of its
   * request. While too little is known that is all that is left.
   *
   * @param job the container's job
   * @param requestedBytes what its application asked for, at least 1
   * @param ageSeconds how long it runs, at least 0
   * @param usedBytes what it uses; 0 for one that has not started
   */
  public Growth expected(JobKey job, long requestedBytes, double ageSeconds, long usedBytes) {
    double leftBytes = (double) requestedBytes - usedBytes;
    int age = usedBytes > 0 ? ageIndex(ageSeconds) : -1;
    for (String key : List.of(job.value(), job.wider())) {
      Window window = windows.get(key);
      if (window == null) {
        continue;
      }
      Moments moments = age < 0 ? window.peaks() : window.factors(age);
      if (moments.count() >= PeakProfile.MINIMUM_SAMPLES) {
        return age < 0
            ? growthTo(moments, 1.0, usedBytes).within(leftBytes)
            : growthBy(moments, usedBytes).within(leftBytes);
      }
    }
    Moments moments = age < 0 ? all.shares() : all.factors(age);
    if (moments.count() < PeakProfile.MINIMUM_OF_ALL) {
      return new Growth(Math.max(0, leftBytes), 0);
    }
    return age < 0
        ? growthTo(moments, (double) requestedBytes, usedBytes).within(leftBytes)
        : growthBy(moments, usedBytes).within(leftBytes);
  }

  /** To a peak of so many units. */
  private static Growth growthTo(Moments peak, double unit, long usedBytes) {
    return new Growth(Math.max(0, peak.mean() * unit - usedBytes), peak.deviation() * unit);
  }

  /** By a factor. */
  private static Growth growthBy(Moments factor, long usedBytes) {
    return new Growth(Math.max(0, usedBytes * (factor.mean() - 1)), usedBytes * factor.deviation());
  }

  private record Moments(int count, double mean, double deviation) {
    static Moments of(List<Double> values) {
      int count = values.size();
      double mean = values.stream().mapToDouble(value -> value).average().orElse(0);
      double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
      return new Moments(count, mean, count < 2 ? 0 : Math.sqrt(squares / (count - 1)));
    }
  }

  /** The newest containers of something; what follows from them is worked out when asked for. */
  private static final class Window {
    private final int size;
    private final Deque<GrowthSample> samples = new ArrayDeque<>();
    private final Moments[] factors = new Moments[AGES_SECONDS.length];
    private Moments peaks;
    private Moments shares;

    Window(int size) {
      this.size = size;
    }

    void add(GrowthSample sample) {
      if (samples.size() == size) {
        samples.removeFirst();
      }
      samples.addLast(sample);
      Arrays.fill(factors, null);
      peaks = null;
      shares = null;
    }

    void replace(GrowthSample former, GrowthSample sample) {
      samples.remove(former);
      add(sample);
    }

    Moments peaks() {
      if (peaks == null) {
        peaks = Moments.of(samples.stream().map(sample -> (double) sample.peakBytes()).toList());
      }
      return peaks;
    }

    Moments shares() {
      if (shares == null) {
        shares = Moments.of(samples.stream().map(GrowthSample::shareOfRequest).toList());
      }
      return shares;
    }

    /** Peak over usage at an age, of those that lived so long. */
    Moments factors(int age) {
      if (factors[age] == null) {
        List<Double> values = new ArrayList<>();
        for (GrowthSample sample : samples) {
          long then = sample.bytesAt(age);
          if (then > 0) {
            values.add((double) sample.peakBytes() / then);
          }
        }
        factors[age] = Moments.of(values);
      }
      return factors[age];
    }
  }
}
