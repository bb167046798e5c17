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
 * The expected total memory of a job's containers: the mean and deviation of the needs of ended
 * containers, and of the peaks of running containers that have settled. If fewer than three
 * containers of a job are known, its request counts: other jobs' needs do not predict it, and
 * hundreds of its containers may arrive at once. Our choice.
 */
final class JobNeeds {
  /** Minimum deviation, as a share of the mean: few containers underestimate it. Our choice. */
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
   * Creates an instance without running containers.
   *
   * @param profile the needs of ended containers
   */
  JobNeeds(PeakProfile profile) {
    this.profile = profile;
  }

  /** Records the state of all running containers. */
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

  /** Returns the expected total need of a container with this request, at most the request. */
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
