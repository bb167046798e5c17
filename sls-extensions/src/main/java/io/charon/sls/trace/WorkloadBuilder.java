/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Creates a workload file from a trace: sorts its jobs on disk, draws some of them if requested,
 * gives their tasks memory that adds up to the use of a real cell, and writes them.
 */
public final class WorkloadBuilder {
  private final CellStatistics statistics;
  private final BadRows badRows;
  private final ImportProgress progress;

  /**
   * Creates a builder.
   *
   * @param badRows counts the rows that the readers cannot use
   */
  public WorkloadBuilder(CellStatistics statistics, BadRows badRows, ImportProgress progress) {
    this.statistics = statistics;
    this.badRows = badRows;
    this.progress = progress;
  }

  /**
   * Creates a workload from a trace. In a draw, each side requests the same share of the memory as
   * in the trace.
   *
   * @throws TraceException if the trace cannot be read, or the workload is not accepted
   */
  public WorkloadReport fromTrace(TraceReader reader, WorkloadRequest request) throws IOException {
    return build(reader, request, Optional.empty());
  }

  /**
   * Creates a workload without a trace. Each side requests its published share of the memory.
   *
   * @param request must name nodes and jobs
   * @param hours length, above 0
   * @throws TraceException if the workload is not accepted
   */
  public WorkloadReport generate(WorkloadRequest request, double hours) throws IOException {
    Map<Side, Double> shares = new EnumMap<>(Side.class);
    for (Tier tier : Tier.values()) {
      shares.merge(tier.side(), statistics.tier(tier).requestedShareOfCell(), Double::sum);
    }
    WorkloadRequest.Draw jobs = request.draw().orElseThrow();
    try (WorkloadGenerator generator =
        new WorkloadGenerator(
            statistics,
            jobs.productionJobs(),
            jobs.bestEffortJobs(),
            request.nodes().orElseThrow(),
            request.node(),
            hours,
            request.seed())) {
      return build(generator, request, Optional.of(shares));
    }
  }

  private WorkloadReport build(
      TraceReader reader, WorkloadRequest request, Optional<Map<Side, Double>> shares)
      throws IOException {
    Path directory = request.out().toAbsolutePath().getParent();
    if (!Files.isDirectory(directory)) {
      throw new TraceException(directory + ": no such directory");
    }
    Optional<JobDraw> draw = request.draw().map(wanted -> new JobDraw(wanted, request.seed()));
    try (SortedSpool spool = new SortedSpool(directory)) {
      for (Optional<TraceJob> job = reader.next(); job.isPresent(); job = reader.next()) {
        spool.add(job.get());
        if (draw.isPresent()) {
          draw.get().add(job.get());
        }
        progress.at("rows read", reader.rows());
      }
      int nodes = nodes(reader, request);
      if (draw.isPresent()) {
        finish(draw.get(), reader, request.node(), nodes, shares);
      }
      return write(spool, draw, reader, request, nodes);
    }
  }

  private static int nodes(TraceReader reader, WorkloadRequest request) throws TraceException {
    if (request.nodes().isPresent()) {
      return request.nodes().getAsInt();
    }
    TracedCell cell =
        reader
            .cell()
            .orElseThrow(
                () ->
                    new TraceException(
                        "the trace does not say how large its cluster was: give the number of nodes"));
    return (int) Math.max(1, Math.round(cell.memory()));
  }

  private static void finish(
      JobDraw draw,
      TraceReader reader,
      TraceNodeSize node,
      int nodes,
      Optional<Map<Side, Double>> published)
      throws TraceException {
    TracedCell cell =
        reader
            .cell()
            .orElseThrow(
                () ->
                    new TraceException(
                        "the trace does not describe its cluster: jobs cannot be drawn from it"));
    double nodeByteMillis = (double) node.memoryBytes() * cell.windowMillis();
    Map<Side, Double> shares = new EnumMap<>(Side.class);
    for (Side side : Side.values()) {
      shares.put(side, draw.cellShare(side, cell.memory() * nodeByteMillis));
    }
    draw.finish(published.orElse(shares), nodes * nodeByteMillis);
  }

  /** Visits the jobs of the workload in the order of their submission. */
  private static void forEach(
      SortedSpool spool, Optional<JobDraw> draw, SortedSpool.Visitor visitor) throws IOException {
    spool.forEach(
        job -> {
          Optional<TraceJob> taken = draw.isEmpty() ? Optional.of(job) : draw.get().draw(job);
          if (taken.isPresent()) {
            visitor.visit(taken.get());
          }
        });
  }

  private WorkloadReport write(
      SortedSpool spool,
      Optional<JobDraw> draw,
      TraceReader reader,
      WorkloadRequest request,
      int nodes)
      throws IOException {
    MemoryModel model = new MemoryModel(statistics, request.seed(), request.productionPageCache());
    Calibration calibration = new Calibration(model);
    forEach(spool, draw, calibration::add);
    JobConverter painter = new JobConverter(model, calibration.solve(request.productionRatio()));

    MemoryUse use = new MemoryUse();
    Counter counter = new Counter(request.load());
    forEach(
        spool,
        draw,
        job -> {
          SimulatedJob painted = painter.convert(job);
          use.add(painted);
          counter.add(painted);
          progress.at("jobs measured", counter.jobs());
        });
    if (counter.jobs() == 0) {
      throw new TraceException(
          "the trace contains no job that ran; rows read: %d, left out: %s, bad: %d %s"
              .formatted(reader.rows(), reader.leftOut(), badRows.count(), badRows.first()));
    }
    if (calibration.generated()) {
      accept(use, request.productionRatio());
    }

    List<String> rules = new ArrayList<>();
    rules.add(
        calibration.generated()
            ? "memory over time is synthesized: request x ratio of the tier x shape, calibrated"
            : "memory over time is that of the trace");
    request
        .productionPageCache()
        .ifPresent(
            share ->
                rules.add(
                    String.format(
                        Locale.ROOT, "%.2f of production's memory is page cache", share)));
    draw.ifPresent(jobs -> rules.addAll(jobs.rules()));
    WorkloadHeader header =
        new WorkloadHeader(
            nodes,
            request.node(),
            counter.counts(),
            new WorkloadHeader.UsedOverRequested(
                rounded(use.ratio()),
                rounded(use.ratio(Side.PRODUCTION)),
                rounded(use.ratio(Side.BEST_EFFORT))),
            request.load(),
            request.seed(),
            reader.provenance(),
            rules);
    try (WorkloadWriter writer = new WorkloadWriter(request.out(), header)) {
      Counter written = new Counter(request.load());
      UsedIds ids = new UsedIds(); // A trace may use the id of a job that ended again.
      forEach(
          spool,
          draw,
          job -> {
            SimulatedJob painted = painter.convert(job);
            written.add(painted);
            writer.write(painted.withId(ids.unused(painted.id())));
            // Submitted at the same time and under the same name: X2 to X4 of the Charon paper.
            for (int copy = 2; copy <= copies(painted, request.load()); copy++) {
              writer.write(painted.withId(ids.unused(painted.id() + "-x" + copy)));
            }
            progress.at("jobs written, of " + counter.jobs(), written.jobs());
          });
      writer.finish();
    }
    return new WorkloadReport(
        header, reader.rows(), badRows.count(), badRows.first(), reader.leftOut());
  }

  private static void accept(MemoryUse use, OptionalDouble productionRatio) throws TraceException {
    String achieved =
        String.format(
            Locale.ROOT,
            "the workload is refused: its tasks use %.3f of the memory they ask for (production %.3f, best-effort"
                + " %.3f)",
            use.ratio(),
            use.ratio(Side.PRODUCTION),
            use.ratio(Side.BEST_EFFORT));
    if (Math.abs(use.ratio() - Calibration.CELL_RATIO) > Calibration.TOLERANCE) {
      throw new TraceException(
          String.format(
              Locale.ROOT,
              "%s; it must be %.2f +- %.2f",
              achieved,
              Calibration.CELL_RATIO,
              Calibration.TOLERANCE));
    }
    if (productionRatio.isPresent()
        && Math.abs(use.ratio(Side.PRODUCTION) - productionRatio.getAsDouble())
            > Calibration.TOLERANCE) {
      throw new TraceException(
          String.format(
              Locale.ROOT,
              "%s; production must be %.2f +- %.2f",
              achieved,
              productionRatio.getAsDouble(),
              Calibration.TOLERANCE));
    }
  }

  private static int copies(SimulatedJob job, int load) {
    return job.side() == Side.BEST_EFFORT ? load : 1;
  }

  private static double rounded(double ratio) {
    return Math.round(ratio * 1e4) / 1e4;
  }

  /** Number of jobs and tasks, including repetitions. */
  private static final class Counter {
    private final int load;
    private long productionJobs;
    private long bestEffortJobs;
    private long tasks;

    Counter(int load) {
      this.load = load;
    }

    void add(SimulatedJob job) {
      int copies = copies(job, load);
      tasks += (long) copies * job.taskCount();
      if (job.side() == Side.PRODUCTION) {
        productionJobs++;
      } else {
        bestEffortJobs += copies;
      }
    }

    long jobs() {
      return productionJobs + bestEffortJobs;
    }

    WorkloadHeader.Counts counts() {
      return new WorkloadHeader.Counts(productionJobs, bestEffortJobs, tasks);
    }
  }
}
