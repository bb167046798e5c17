/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.experiment.EmbeddedWorkload;
import io.charon.sls.experiment.ExperimentPlan;
import io.charon.sls.run.WorkloadOpener;
import io.charon.sls.trace.BadRows;
import io.charon.sls.trace.CellStatistics;
import io.charon.sls.trace.NodeSize;
import io.charon.sls.trace.WorkloadBuilder;
import io.charon.sls.trace.WorkloadHeader;
import io.charon.sls.trace.WorkloadReader;
import io.charon.sls.trace.WorkloadRequest;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import io.charon.sls.workload.WorkloadSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The workload of {@code charon sls run}: a file, or one generated file for each seed. It is read
 * through once before anything runs, so that a bad line is found first.
 */
final class SlsWorkload implements WorkloadOpener, AutoCloseable {
  private static final int EMBEDDED_NODES = 20;
  private static final long GIBIBYTE = 1L << 30;

  /** Ours: the paper does not say how long its jobs took to submit; as charon sls generate. */
  private static final double PAPER_HOURS = 7;

  private static final double PAPER_NODES = 100;

  private final List<Path> files;
  private final Optional<Path> made;
  private final WorkloadHeader header;
  private final int nodes;
  private final NodeSize size;
  private final double lastSubmitSeconds;

  private SlsWorkload(List<Path> files, Optional<Path> made, ExperimentPlan plan)
      throws IOException {
    this.files = files;
    this.made = made;
    try (WorkloadReader reader = new WorkloadReader(files.get(0))) {
      this.header = reader.header();
      this.nodes = plan.nodes().orElse(header.nodes());
      this.size = nodeSize(plan, new NodeSize(header.nodeMemoryBytes(), header.nodeCores()));
      this.lastSubmitSeconds = readThrough(reader) / 1e3;
    }
  }

  /** Reads all jobs, as the runs will; returns when the last one is submitted. */
  private long readThrough(WorkloadReader reader) throws IOException {
    if (header.jobs() == 0) {
      throw new IOException(
          files.get(0)
              + ": the workload holds no job; make one with charon sls generate or import");
    }
    long last = 0;
    for (Optional<SimulatedJob> job = reader.next(); job.isPresent(); job = reader.next()) {
      last = job.get().submitMillis();
      for (TaskGroup tasks : job.get().tasks()) {
        if (tasks.requestedBytes() > size.memoryBytes() || tasks.virtualCores() > size.cores()) {
          throw new IOException(
              "%s: tasks of job %s ask for %s and %d cores, more than a node of %s and %d cores; take larger nodes"
                  .formatted(
                      files.get(0),
                      job.get().id(),
                      PlainText.bytes(tasks.requestedBytes()),
                      tasks.virtualCores(),
                      PlainText.bytes(size.memoryBytes()),
                      size.cores()));
        }
      }
    }
    return last;
  }

  /**
   * Opens the workload of an experiment.
   *
   * @throws IOException if there is none, or it cannot be used on these nodes
   */
  static SlsWorkload open(ExperimentPlan plan) throws IOException {
    String name =
        plan.workload()
            .orElseThrow(
                () ->
                    new IOException(
                        "the experiment needs a workload that is made from a trace: run \""
                            + plan.importCommand().orElseThrow()
                            + "\", then give its file with --workload FILE"));
    if (!name.equals(ExperimentPlan.EMBEDDED)) {
      return new SlsWorkload(List.of(Path.of(name)), Optional.empty(), plan);
    }
    Path directory = Files.createTempDirectory("charon-sls");
    try {
      List<Path> files = new ArrayList<>();
      for (int seed = 1; seed <= plan.seeds(); seed++) {
        files.add(generate(directory, plan, seed));
      }
      return new SlsWorkload(files, Optional.of(directory), plan);
    } catch (IOException | RuntimeException e) {
      delete(directory);
      throw e;
    }
  }

  private static Path generate(Path directory, ExperimentPlan plan, long seed) throws IOException {
    Path file = directory.resolve("seed-" + seed + ".jsonl.gz");
    int nodes = plan.nodes().orElse(EMBEDDED_NODES);
    EmbeddedWorkload embedded = plan.embedded();
    WorkloadRequest.Draw paper = WorkloadRequest.Draw.ofThePaper();
    double share = nodes / PAPER_NODES * embedded.hours() / PAPER_HOURS;
    new WorkloadBuilder(
            CellStatistics.published(), new BadRows(true), SlsWorkload::progressIsNotShown)
        .generate(
            new WorkloadRequest(
                file,
                nodeSize(plan, NodeSize.ofThePaper()),
                OptionalInt.of(nodes),
                Optional.of(
                    new WorkloadRequest.Draw(
                        embedded
                            .productionJobs()
                            .orElse((int) Math.ceil(paper.productionJobs() * share)),
                        embedded
                            .bestEffortJobs()
                            .orElse((int) Math.ceil(paper.bestEffortJobs() * share)))),
                embedded.productionRatio(),
                1,
                seed),
            embedded.hours());
    return file;
  }

  private static NodeSize nodeSize(ExperimentPlan plan, NodeSize unsaid) {
    return new NodeSize(
        plan.memoryGibibytes().isPresent()
            ? plan.memoryGibibytes().getAsInt() * GIBIBYTE
            : unsaid.memoryBytes(),
        plan.cores().orElse(unsaid.cores()));
  }

  private static void progressIsNotShown(String what, long done) {}

  /** What the workload says of itself; that of the first seed if it was generated. */
  WorkloadHeader header() {
    return header;
  }

  /** Nodes of the cluster. */
  int nodes() {
    return nodes;
  }

  /** Size of each node, with as much swap as memory. */
  io.charon.sls.node.NodeSize size() {
    return new io.charon.sls.node.NodeSize(size.memoryBytes(), size.cores(), size.memoryBytes());
  }

  /** When the last job is submitted, virtual seconds. */
  double lastSubmitSeconds() {
    return lastSubmitSeconds;
  }

  /** The workload in a line. */
  String description() {
    return "%d production and %d best-effort jobs, %d tasks, %d nodes; memory used of requested %.2f (production %.2f)"
        .formatted(
            header.productionJobs(),
            header.bestEffortJobs(),
            header.tasks(),
            nodes,
            header.usedOverRequested(),
            header.productionUsedOverRequested());
  }

  @Override
  public WorkloadSource open(long seed) throws IOException {
    return new WorkloadReader(files.get(files.size() == 1 ? 0 : (int) seed - 1));
  }

  @Override
  public void close() throws IOException {
    if (made.isPresent()) {
      delete(made.get());
    }
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
