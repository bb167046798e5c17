/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.experiment.EmbeddedWorkload;
import io.charon.sls.experiment.ExperimentPlan;
import io.charon.sls.experiment.PlannedNodes;
import io.charon.sls.run.WorkloadOpener;
import io.charon.sls.trace.BadRows;
import io.charon.sls.trace.CellStatistics;
import io.charon.sls.trace.TraceNodeSize;
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
import java.util.stream.Collectors;

/**
 * The workload of {@code charon sls run}: one file for all seeds, or one per seed, generated or
 * given. All files are read once before the first run, so that a bad line is found early.
 */
public final class SlsWorkload implements WorkloadOpener, AutoCloseable {
  private static final int EMBEDDED_NODES = 20;

  /**
   * Hours over which the paper's jobs are submitted. Our choice, as in charon sls generate: the
   * paper does not state it.
   */
  private static final double PAPER_HOURS = 7;

  private static final double PAPER_NODES = 100;

  private final List<Path> files;
  private final Optional<Path> made;
  private final List<WorkloadHeader> headers = new ArrayList<>();
  private final int nodes;
  private final TraceNodeSize size;
  private final double lastSubmitSeconds;

  private SlsWorkload(List<Path> files, Optional<Path> made, ExperimentPlan plan)
      throws IOException {
    this.files = files;
    this.made = made;
    for (Path file : files) {
      try (WorkloadReader reader = new WorkloadReader(file)) {
        headers.add(reader.header());
      }
    }
    WorkloadHeader first = headers.get(0);
    this.nodes = plan.nodes().count().orElse(first.nodes());
    this.size = plan.nodes().size(first.node());
    long last = 0;
    for (int i = 0; i < files.size(); i++) {
      requireSameCluster(plan.nodes(), i);
      last = Math.max(last, readThrough(files.get(i)));
    }
    this.lastSubmitSeconds = last / 1e3;
  }

  /** The results of the seeds are pooled, so all seeds have to run on the same nodes. */
  private void requireSameCluster(PlannedNodes planned, int index) throws IOException {
    WorkloadHeader header = headers.get(index);
    if (planned.count().orElse(header.nodes()) != nodes
        || !planned.size(header.node()).equals(size)) {
      throw new IOException(
          "%s: made for nodes other than %s; set --nodes, --node-cores and --node-memory-gb to the workload's nodes"
              .formatted(files.get(index), files.get(0)));
    }
  }

  /**
   * Reads all jobs, as the runs will, and returns the submission time of the last one, in
   * milliseconds.
   */
  private long readThrough(Path file) throws IOException {
    try (WorkloadReader reader = WorkloadReader.checking(file)) {
      if (reader.header().jobs() == 0) {
        throw new IOException(
            file + ": the workload contains no jobs; make one with charon sls generate or import");
      }
      return readThrough(file, reader);
    }
  }

  private long readThrough(Path file, WorkloadReader reader) throws IOException {
    long last = 0;
    for (Optional<SimulatedJob> job = reader.next(); job.isPresent(); job = reader.next()) {
      last = job.get().submitMillis();
      for (TaskGroup tasks : job.get().tasks()) {
        if (tasks.requestedBytes() > size.memoryBytes() || tasks.virtualCores() > size.cores()) {
          throw new IOException(
              "%s: tasks of job %s ask for %s and %d cores, more than a node of %s and %d cores has; use larger nodes"
                  .formatted(
                      file,
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
  public static SlsWorkload open(ExperimentPlan plan) throws IOException {
    List<String> names = plan.workload().names();
    int seeds = plan.grid().seeds();
    if (names.isEmpty()) {
      throw new IOException(
          "the experiment needs a workload that is made from a trace: run \""
              + plan.workload().importCommand().orElseThrow()
              + "\", then give its file with --workload FILE");
    }
    if (names.size() > 1 && names.size() != seeds) {
      throw new IOException(
          "%d workload files for %d seeds: give one file for all seeds, or one file for each seed"
              .formatted(names.size(), seeds));
    }
    if (!plan.workload().isEmbedded()) {
      return new SlsWorkload(names.stream().map(Path::of).toList(), Optional.empty(), plan);
    }
    Path directory = Files.createTempDirectory("charon-sls");
    try {
      List<Path> files = new ArrayList<>();
      for (int seed = 1; seed <= seeds; seed++) {
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
    int nodes = plan.nodes().count().orElse(EMBEDDED_NODES);
    EmbeddedWorkload embedded = plan.workload().embedded();
    WorkloadRequest.Draw paper = WorkloadRequest.Draw.ofThePaper();
    double share = nodes / PAPER_NODES * embedded.hours() / PAPER_HOURS;
    new WorkloadBuilder(
            CellStatistics.published(), new BadRows(true), SlsWorkload::progressIsNotShown)
        .generate(
            new WorkloadRequest(
                file,
                plan.nodes().size(TraceNodeSize.ofThePaper()),
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

  private static void progressIsNotShown(String what, long done) {}

  /** The headers of the workload files: one for all seeds, or one per seed. */
  List<WorkloadHeader> headers() {
    return headers;
  }

  /** Number of nodes of the cluster. */
  int nodes() {
    return nodes;
  }

  /** Size of each node, with as much swap as memory. */
  io.charon.sls.node.NodeSize size() {
    return new io.charon.sls.node.NodeSize(size.memoryBytes(), size.cores(), size.memoryBytes());
  }

  /** When the last job is submitted, in virtual seconds. */
  double lastSubmitSeconds() {
    return lastSubmitSeconds;
  }

  /** One line per file. */
  public String description() {
    return headers.stream().map(this::description).collect(Collectors.joining("\n"));
  }

  private String description(WorkloadHeader header) {
    return "%d production and %d best-effort jobs, %d tasks, %d nodes; used share of requested memory %.2f (production %.2f)"
        .formatted(
            header.counts().productionJobs(),
            header.counts().bestEffortJobs(),
            header.counts().tasks(),
            nodes,
            header.usedOverRequested().all(),
            header.usedOverRequested().production());
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
