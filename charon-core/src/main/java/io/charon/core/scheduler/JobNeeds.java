/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a container of a job is expected to need altogether: mean and deviation of what the last
 * ones needed, and those needed so far that run and have settled. A job that is not known, because
 * fewer than three containers of it have, counts with its request: what other jobs need says
 * nothing of it, and hundreds of its containers may come at once (ours).
 */
final class JobNeeds {
  /** Containers of one job differ by no less, as far as few of them tell (ours). */
  private static final double MIN_DEVIATION = 0.1;

  private final PeakProfile profile;
  private final Map<String, Sum> settled = new HashMap<>();
  private final Map<String, Sum> sums = new HashMap<>();

  private record Sum(int count, double bytes, double squares) {
    static final Sum NONE = new Sum(0, 0, 0);

    Sum plus(double value) {
      return new Sum(count + 1, bytes + value, squares + value * value);
    }

    Growth growth() {
      double mean = bytes / count;
      double variance = Math.max(0, squares - count * mean * mean) / (count - 1);
      return new Growth(mean, Math.max(MIN_DEVIATION * mean, Math.sqrt(variance)));
    }
  }

  /**
   * Knows of nobody that runs.
   *
   * @param profile what those needed that have ended
   */
  JobNeeds(PeakProfile profile) {
    this.profile = profile;
  }

  /** All that runs was read. */
  void observed(Collection<RunningGrowth> running) {
    settled.clear();
    sums.clear();
    for (RunningGrowth container : running) {
      if (container.hasSettled()) {
        settled.merge(
            container.request().job().value(),
            Sum.NONE.plus((double) container.peakBytes()),
            (known, one) -> known.plus(one.bytes()));
      }
    }
  }

  /** What a container of this request is expected to need, never more than that. */
  Growth of(LaunchRequest request) {
    Sum sum = sums.computeIfAbsent(request.job().value(), this::sum);
    return sum.count() < PeakProfile.MINIMUM_SAMPLES
        ? new Growth(request.requestedBytes(), 0)
        : sum.growth().within((double) request.requestedBytes());
  }

  private Sum sum(String job) {
    Sum sum = settled.getOrDefault(job, Sum.NONE);
    List<PeakSample> ended = profile.samples(job);
    for (PeakSample sample : ended) {
      sum = sum.plus((double) sample.peakBytes());
    }
    return sum;
  }
}
