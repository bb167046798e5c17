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
import java.util.Optional;

/**
 * The expected total memory of a job's containers: the mean and deviation of the needs of ended
 * containers, and of the peaks of running containers that have settled. If fewer than three
 * containers of a job are known, its request counts: other jobs' needs do not predict it, and
 * hundreds of its containers may arrive at once. Our choice.
 *
 * <p>What other nodes have told never makes a need smaller than three containers of this node do:
 * of their own mean and deviation, and those of all that are known, the larger ones count.
 */
final class JobNeeds {
  /** Minimum deviation, as a share of the mean: few containers underestimate it. Our choice. */
  private static final double MIN_DEVIATION = 0.1;

  private final PeakProfile profile;
  private final Map<String, Sum> settled = new HashMap<>();
  private final Map<String, Optional<Growth>> needs = new HashMap<>();

  private record Sum(int count, double bytes, double squares) {
    static final Sum NONE = new Sum(0, 0, 0);

    Sum plus(double value) {
      return new Sum(count + 1, bytes + value, squares + value * value);
    }

    Sum plus(List<PeakSample> ended) {
      Sum sum = this;
      for (PeakSample sample : ended) {
        sum = sum.plus((double) sample.peakBytes());
      }
      return sum;
    }

    /** Returns the mean and deviation; empty for fewer than three containers. */
    Optional<Growth> growth() {
      if (count < PeakProfile.MINIMUM_SAMPLES) {
        return Optional.empty();
      }
      double mean = bytes / count;
      double variance = Math.max(0, squares - count * mean * mean) / (count - 1);
      return Optional.of(new Growth(mean, Math.max(MIN_DEVIATION * mean, Math.sqrt(variance))));
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
    needs.clear();
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
    return needs
        .computeIfAbsent(request.job().value(), this::need)
        .map(need -> need.within((double) request.requestedBytes()))
        .orElseGet(() -> new Growth(request.requestedBytes(), 0));
  }

  private Optional<Growth> need(String job) {
    Sum running = settled.getOrDefault(job, Sum.NONE);
    List<PeakSample> ended = profile.samples(job);
    List<PeakSample> own = ended.stream().filter(PeakSample::own).toList();
    return running
        .plus(ended)
        .growth()
        .map(all -> running.plus(own).growth().map(all::atLeast).orElse(all));
  }
}
