/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.Side;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Draws a workload for a few nodes from a whole cell, by the following rule. Candidates are all
 * production jobs, including those that existed when the trace began, and the best-effort jobs that
 * were submitted during the trace. The jobs with the lowest hashes of seed and id are drawn.
 * Complete jobs of a cell would overload a few nodes, so each side gets a limit of tasks per job:
 * the highest one with which the side requests no larger share of the nodes' memory than it did of
 * its cell's.
 */
final class JobDraw {
  /** A candidate, without its tasks. */
  private record Candidate(long hash, String id, int tasks, double load) {}

  /**
   * The limit of one side.
   *
   * @param tasksPerJob highest number of tasks per job, at least 1
   * @param limitedJobs number of jobs that had more tasks
   * @param cellShare memory that the side requests in its cell, as a share of the cell's, over time
   * @param drawnShare memory that the drawn jobs request, as a share of the nodes', over time
   */
  private record Limit(int tasksPerJob, long limitedJobs, double cellShare, double drawnShare) {}

  private final Map<Side, Integer> wanted = new EnumMap<>(Side.class);
  private final StableRandom random;
  private final Map<Side, PriorityQueue<Candidate>> lowest = new EnumMap<>(Side.class);
  private final Map<Side, Double> cellLoad = new EnumMap<>(Side.class);
  private final Map<Side, Limit> limits = new EnumMap<>(Side.class);
  private final Set<String> drawn = new HashSet<>();

  JobDraw(WorkloadRequest.Draw draw, long seed) {
    wanted.put(Side.PRODUCTION, draw.productionJobs());
    wanted.put(Side.BEST_EFFORT, draw.bestEffortJobs());
    this.random = new StableRandom(seed);
    for (Side side : Side.values()) {
      lowest.put(
          side,
          new PriorityQueue<>(
              Comparator.comparingLong(Candidate::hash).thenComparing(Candidate::id).reversed()));
      cellLoad.put(side, 0.0);
    }
  }

  /** Adds a job of the cell. */
  void add(TraceJob job) {
    Side side = job.tier().side();
    double load = job.load();
    cellLoad.merge(side, load, Double::sum);
    if (side == Side.BEST_EFFORT && job.resident()) {
      return;
    }
    PriorityQueue<Candidate> candidates = lowest.get(side);
    candidates.add(new Candidate(random.hash("draw", job.id()), job.id(), job.taskCount(), load));
    if (candidates.size() > wanted.get(side)) {
      candidates.remove();
    }
  }

  /** Returns the memory that one side of the cell requests, as a share of the cell's memory. */
  double cellShare(Side side, double cellByteMillis) {
    return cellLoad.get(side) / cellByteMillis;
  }

  /**
   * Ends the draw.
   *
   * @param cellShare share of the nodes' memory that each side may request
   * @param nodeByteMillis memory of the nodes times the length of the trace
   * @throws TraceException if there are too few jobs, or if even single tasks request too much
   */
  void finish(Map<Side, Double> cellShare, double nodeByteMillis) throws TraceException {
    for (Side side : Side.values()) {
      List<Candidate> candidates = new ArrayList<>(lowest.get(side));
      if (candidates.size() < wanted.get(side)) {
        throw new TraceException(
            "the trace has %d %s jobs to draw from, not %d"
                .formatted(candidates.size(), name(side), wanted.get(side)));
      }
      int limit =
          limitOf(candidates, cellShare.get(side) * nodeByteMillis)
              .orElseThrow(
                  () ->
                      new TraceException(
                          "%d %s jobs ask for more than the cell's share of %.3f even with one task"
                                  .formatted(candidates.size(), name(side), cellShare.get(side))
                              + " each: draw fewer jobs, or use more nodes"));
      limits.put(
          side,
          new Limit(
              limit,
              candidates.stream().filter(job -> job.tasks() > limit).count(),
              cellShare.get(side),
              load(candidates, limit) / nodeByteMillis));
      candidates.forEach(candidate -> drawn.add(candidate.id()));
    }
    lowest.clear();
  }

  /** Returns the job, limited to the tasks per job of its side; empty if it was not drawn. */
  Optional<TraceJob> draw(TraceJob job) {
    return drawn.contains(job.id())
        ? Optional.of(limited(job, limits.get(job.tier().side()).tasksPerJob()))
        : Optional.empty();
  }

  /** Describes the draw, one sentence for each side. */
  List<String> rules() {
    List<String> rules = new ArrayList<>();
    limits.forEach(
        (side, limit) ->
            rules.add(
                String.format(
                    Locale.ROOT,
                    "%d %s jobs%s, at most %d tasks each (%d jobs had more): they ask for %.3f of the"
                        + " nodes' memory over time, %.3f in the cell",
                    wanted.get(side),
                    name(side),
                    side == Side.PRODUCTION
                        ? ", residents included"
                        : " from those submitted in the window",
                    limit.tasksPerJob(),
                    limit.limitedJobs(),
                    limit.drawnShare(),
                    limit.cellShare())));
    return rules;
  }

  static String name(Side side) {
    return side == Side.PRODUCTION ? "production" : "best-effort";
  }

  private static Optional<Integer> limitOf(List<Candidate> candidates, double allowed) {
    if (load(candidates, 1) > allowed) {
      return Optional.empty();
    }
    int low = 1;
    int high = candidates.stream().mapToInt(Candidate::tasks).max().orElse(1);
    while (low < high) {
      int middle = low + (high - low + 1) / 2;
      if (load(candidates, middle) <= allowed) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return Optional.of(low);
  }

  private static double load(List<Candidate> candidates, int limit) {
    return candidates.stream()
        .mapToDouble(job -> job.load() * Math.min(1, (double) limit / job.tasks()))
        .sum();
  }

  /** Takes the same share of every batch; tasks lost by rounding go to the largest remainders. */
  static TraceJob limited(TraceJob job, int limit) {
    int all = job.taskCount();
    if (all <= limit) {
      return job;
    }
    List<TaskBatch> batches = job.batches();
    int[] counts = new int[batches.size()];
    List<Integer> byRemainder = new ArrayList<>();
    int left = limit;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (int) ((long) batches.get(i).count() * limit / all);
      left -= counts[i];
      byRemainder.add(i);
    }
    byRemainder.sort(
        Comparator.comparingLong((Integer i) -> -((long) batches.get(i).count() * limit % all))
            .thenComparing(i -> i));
    for (int i = 0; i < left; i++) {
      counts[byRemainder.get(i)]++;
    }
    List<TaskBatch> kept = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        kept.add(batches.get(i).withCount(counts[i]));
      }
    }
    return job.withBatches(kept);
  }
}
