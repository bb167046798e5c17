/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Combines similar tasks of a job, so that a job of a hundred thousand tasks needs only some
 * hundred batches. Tasks with the same request and variant, and with durations that differ by less
 * than 5 percent, become one batch with their mean duration.
 */
final class JobAssembler {
  private static final double DURATION_STEP = Math.log(1.05);
  private static final StableRandom VARIANTS = new StableRandom(0);

  private record Key(long requestedBytes, double requestedCores, long duration, int variant) {}

  private static final class Sum {
    private int count;
    private double millis;
  }

  private final String jobId;
  private final SkippedCounts leftOut;
  private final Map<Key, Sum> sums = new LinkedHashMap<>();

  /**
   * Starts a job without tasks.
   *
   * @param leftOut counts the job if no task is added
   */
  JobAssembler(long jobId, SkippedCounts leftOut) {
    this.jobId = Long.toString(jobId);
    this.leftOut = leftOut;
  }

  /** Takes out the jobs that are still open, up to the first one that has tasks. */
  static <J> Optional<TraceJob> nextOf(
      Map<Long, J> open, BiFunction<Long, J, Optional<TraceJob>> assembly) {
    Iterator<Map.Entry<Long, J>> jobs = open.entrySet().iterator();
    Optional<TraceJob> assembled = Optional.empty();
    while (assembled.isEmpty() && jobs.hasNext()) {
      Map.Entry<Long, J> job = jobs.next();
      jobs.remove();
      assembled = assembly.apply(job.getKey(), job.getValue());
    }
    return assembled;
  }

  /** Adds a task; a duration or a memory request of 0 is raised to 1. */
  void add(long task, long requestedBytes, double requestedCores, long durationMillis) {
    long millis = Math.max(1, durationMillis);
    int variant = Math.floorMod(VARIANTS.hash("variant", jobId + "/" + task), TaskBatch.VARIANTS);
    Key key =
        new Key(
            Math.max(1, requestedBytes),
            requestedCores,
            (long) (Math.log((double) millis) / DURATION_STEP),
            variant);
    Sum sum = sums.computeIfAbsent(key, k -> new Sum());
    sum.count++;
    sum.millis += millis;
  }

  /** Returns the job; empty if it has no tasks. */
  Optional<TraceJob> job(
      String name, String user, int priority, boolean resident, long submitMillis) {
    if (sums.isEmpty()) {
      leftOut.add("jobs without a task that ran", 1);
      return Optional.empty();
    }
    return Optional.of(
        new TraceJob(
            jobId, name, user, Tier.ofPriority(priority), resident, submitMillis, batches()));
  }

  private List<TaskBatch> batches() {
    return sums.entrySet().stream()
        .map(
            entry ->
                new TaskBatch(
                    entry.getValue().count,
                    entry.getKey().requestedBytes(),
                    entry.getKey().requestedCores(),
                    Math.round(entry.getValue().millis / entry.getValue().count),
                    entry.getKey().variant(),
                    Optional.empty()))
        .toList();
  }
}
