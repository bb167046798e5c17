/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.local;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Expected peak memory of a job's containers: a percentile over a bounded window of measured peaks,
 * or the request while too few are known (Charon paper, section 4.2, names the history of recurring
 * jobs and leaves the estimator open).
 */
public final class PeakProfile {
  /** Peaks needed before they are believed (ours: one short container says little). */
  static final int MINIMUM_SAMPLES = 3;

  /** Jobs remembered; the one not used for longest is forgotten first (ours). */
  static final int MAXIMUM_JOBS = 1000;

  private final int windowSamples;
  private final int percentile;
  private final Map<JobKey, Deque<Long>> peaks =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<JobKey, Deque<Long>> eldest) {
          return size() > MAXIMUM_JOBS;
        }
      };

  /**
   * Creates an empty profile.
   *
   * @param windowSamples measured peaks kept per job, at least 1
   * @param percentile which of them is expected, 1 to 100
   */
  public PeakProfile(int windowSamples, int percentile) {
    if (windowSamples < 1) {
      throw new IllegalArgumentException("windowSamples must be at least 1, got " + windowSamples);
    }
    if (percentile < 1 || percentile > 100) {
      throw new IllegalArgumentException("percentile must be within 1 and 100, got " + percentile);
    }
    this.windowSamples = windowSamples;
    this.percentile = percentile;
  }

  /**
   * Adds what a finished container needed.
   *
   * @param job the container's job
   * @param peakBytes its highest working set; a peak of 0 (never measured) is not recorded
   */
  public void record(JobKey job, long peakBytes) {
    if (peakBytes <= 0) {
      return;
    }
    Deque<Long> window = peaks.computeIfAbsent(job, key -> new ArrayDeque<>());
    if (window.size() == windowSamples) {
      window.removeFirst();
    }
    window.addLast(peakBytes);
  }

  /** All that was learnt; the job not used for longest comes first. */
  public List<JobPeaks> learnt() {
    return peaks.entrySet().stream()
        .map(entry -> new JobPeaks(entry.getKey(), List.copyOf(entry.getValue())))
        .toList();
  }

  /**
   * Takes over what an earlier profile had learnt, in its order. What is more than this profile
   * keeps is forgotten as ever.
   *
   * @param learnt of {@link #learnt()}
   */
  public void restore(List<JobPeaks> learnt) {
    for (JobPeaks known : learnt) {
      known.peakBytes().forEach(peak -> record(known.job(), peak));
    }
  }

  /**
   * What the next container of a job is expected to need.
   *
   * @param job the container's job
   * @param requestedBytes the answer while fewer than three peaks are known
   * @return bytes, by nearest rank
   */
  public long expectedPeakBytes(JobKey job, long requestedBytes) {
    Objects.requireNonNull(job, "job");
    Deque<Long> window = peaks.get(job);
    if (window == null || window.size() < Math.min(MINIMUM_SAMPLES, windowSamples)) {
      return requestedBytes;
    }
    long[] sorted = window.stream().mapToLong(Long::longValue).sorted().toArray();
    // In integers: 0.07 * 100 is more than 7 in floating point, and its ceiling the wrong rank.
    int rank = (percentile * sorted.length + 99) / 100;
    return sorted[rank - 1];
  }
}
