/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.trace.CellStatistics.Jobs;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Generates jobs from the published quantiles, without a trace. As in the cell, most of production
 * exists from the start and stays; best-effort jobs are submitted in bursts, with the cell's mix of
 * tiers. Jobs of the same name have the same memory use, and those of the same size also the same
 * request. For jobs of about the same size, task counts, requests and durations are drawn
 * independently. Our choice: the durations of a job's tasks differ by 15 percent either way.
 */
public final class WorkloadGenerator implements TraceReader {
  private static final double DURATION_SPREAD = 0.15;
  private static final double MILLIS = 1000;

  private final CellStatistics statistics;
  private final StableRandom random;
  private final TraceNodeSize node;
  private final double nodes;
  private final long windowMillis;
  private final Iterator<TraceJob> jobs;
  private long made;

  /**
   * Creates a generator.
   *
   * @param productionJobs number of production jobs, not negative
   * @param bestEffortJobs number of best-effort jobs, not negative
   * @param nodes number of nodes that the workload is for
   * @param hours length of the workload
   * @param seed seed of all random numbers
   */
  public WorkloadGenerator(
      CellStatistics statistics,
      int productionJobs,
      int bestEffortJobs,
      int nodes,
      TraceNodeSize node,
      double hours,
      long seed) {
    this.statistics = statistics;
    this.random = new StableRandom(seed);
    this.node = node;
    this.nodes = nodes;
    this.windowMillis = Math.round(hours * 3_600_000);
    Jobs residents = statistics.tier(Tier.PRODUCTION).resident();
    Jobs submitted = statistics.tier(Tier.PRODUCTION).submitted();
    int residentCount = share(productionJobs, residents.jobs(), submitted.jobs());
    Jobs other = statistics.tier(Tier.OTHER).submitted();
    Jobs free = statistics.tier(Tier.FREE).submitted();
    int otherCount = share(bestEffortJobs, other.jobs(), free.jobs());
    jobs =
        Stream.of(
                residents(residents, residentCount),
                submitted(Tier.PRODUCTION, submitted, productionJobs - residentCount),
                submitted(Tier.OTHER, other, otherCount),
                submitted(Tier.FREE, free, bestEffortJobs - otherCount))
            .flatMap(stream -> stream)
            .iterator();
  }

  @Override
  public Optional<TraceJob> next() {
    if (!jobs.hasNext()) {
      return Optional.empty();
    }
    made++;
    return Optional.of(jobs.next());
  }

  @Override
  public Optional<TracedCell> cell() {
    return Optional.of(new TracedCell(nodes, windowMillis));
  }

  @Override
  public String provenance() {
    return "generated from quantiles of Google's ClusterData2011_2 and ClusterData2019 (CC-BY 4.0)";
  }

  @Override
  public long rows() {
    return made;
  }

  @Override
  public Map<String, Long> leftOut() {
    return Map.of();
  }

  @Override
  public void close() {}

  private static int share(int count, int part, int rest) {
    return (int) Math.round((double) count * part / (part + rest));
  }

  private Stream<TraceJob> residents(Jobs figures, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> job("production-resident-" + i, Tier.PRODUCTION, figures, count, 0));
  }

  private Stream<TraceJob> submitted(Tier tier, Jobs figures, int count) {
    String prefix = tier.name().toLowerCase(Locale.ROOT) + "-";
    double[] times = new double[count + 1];
    double sum = 0;
    for (int i = 0; i <= count; i++) {
      sum += statistics.at(figures.secondsBetweenJobs(), random.uniform("gap", prefix + i));
      times[i] = sum;
    }
    double scale = windowMillis / Math.max(1e-9, sum);
    return IntStream.range(0, count)
        .mapToObj(i -> job(prefix + i, tier, figures, count, Math.round(times[i] * scale)));
  }

  private TraceJob job(String id, Tier tier, Jobs figures, int count, long submitMillis) {
    int names = Math.max(1, share(count, figures.names(), figures.jobs() - figures.names()));
    String name =
        "%s%s-name-%d"
            .formatted(
                tier.name().toLowerCase(Locale.ROOT),
                figures.resident() ? "-resident" : "",
                (int) (random.uniform("name", id) * names));
    CellStatistics.Size size = size(figures, random.uniform("size", id));
    int tasks = (int) Math.round(statistics.at(size.tasksPerJob(), random.uniform("tasks", id)));
    double memory = statistics.at(size.memoryPerJob(), random.uniform("request", name));
    double cores = statistics.at(size.processorsPerJob(), random.uniform("cores", name));
    double seconds = statistics.at(size.taskSeconds(), random.uniform("duration", id));
    double spread = DURATION_SPREAD;
    if (figures.resident()) {
      seconds = Math.min(1, seconds / statistics.cell().windowSeconds()) * windowMillis / MILLIS;
      spread = 0;
    }
    return new TraceJob(
        id,
        name,
        "charon",
        tier,
        figures.resident(),
        submitMillis,
        batches(id, tasks, memory, cores, seconds * MILLIS, spread));
  }

  private static CellStatistics.Size size(Jobs figures, double quantile) {
    double rank = quantile * figures.jobs();
    for (CellStatistics.Size size : figures.sizes()) {
      rank -= size.jobs();
      if (rank < 0) {
        return size;
      }
    }
    return figures.sizes().get(figures.sizes().size() - 1);
  }

  private List<TaskBatch> batches(
      String id, int tasks, double memory, double cores, double millis, double spread) {
    List<TaskBatch> batches = new ArrayList<>();
    int first = (int) (random.uniform("variant", id) * TaskBatch.VARIANTS);
    for (int i = 0; i < TaskBatch.VARIANTS; i++) {
      int variant = (first + i) % TaskBatch.VARIANTS;
      int alike = tasks / TaskBatch.VARIANTS + (i < tasks % TaskBatch.VARIANTS ? 1 : 0);
      if (alike > 0) {
        double step = 2 * (variant + 0.5) / TaskBatch.VARIANTS - 1;
        batches.add(
            new TaskBatch(
                alike,
                Math.max(1, Math.round(memory * node.memoryBytes())),
                cores * node.cores(),
                Math.max(1, Math.round(millis * (1 + spread * step))),
                variant,
                Optional.empty()));
      }
    }
    return batches;
  }
}
