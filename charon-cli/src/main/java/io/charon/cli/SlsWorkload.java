/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.run.WorkloadOpener;
import io.charon.sls.trace.BadRows;
import io.charon.sls.trace.CellStatistics;
import io.charon.sls.trace.NodeSize;
import io.charon.sls.trace.WorkloadBuilder;
import io.charon.sls.trace.WorkloadHeader;
import io.charon.sls.trace.WorkloadReader;
import io.charon.sls.trace.WorkloadRequest;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.WorkloadSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The workload of {@code charon sls run}: a file, or one generated file for each seed. It is read
 * through once before anything runs, so that a bad line is found first.
 */
final class SlsWorkload implements WorkloadOpener, AutoCloseable {
  private static final String EMBEDDED = "embedded";
  private static final int EMBEDDED_NODES = 20;

  /** Ours: the paper does not say how long its jobs took to submit; as charon sls generate. */
  private static final double PAPER_HOURS = 7;

  private final List<Path> files;
  private final Optional<Path> made;
  private final WorkloadHeader header;
  private final int nodes;
  private final double lastSubmitSeconds;

  private SlsWorkload(List<Path> files, Optional<Path> made, Integer nodes) throws IOException {
    this.files = files;
    this.made = made;
    try (WorkloadReader reader = new WorkloadReader(files.get(0))) {
      this.header = reader.header();
      this.nodes = nodes != null ? nodes : header.nodes();
      long last = 0;
      for (Optional<SimulatedJob> job = reader.next(); job.isPresent(); job = reader.next()) {
        last = job.get().submitMillis();
      }
      this.lastSubmitSeconds = last / 1e3;
    }
  }

  /**
   * Opens a workload.
   *
   * @param name a file, or "embedded"
   * @param nodes of the cluster, or null for what the file says
   * @param hours length of an embedded one
   * @param seeds how many embedded ones to generate
   */
  static SlsWorkload open(String name, Integer nodes, double hours, int seeds) throws IOException {
    if (!name.equals(EMBEDDED)) {
      return new SlsWorkload(List.of(Path.of(name)), Optional.empty(), nodes);
    }
    Path directory = Files.createTempDirectory("charon-sls");
    try {
      List<Path> files = new ArrayList<>();
      for (int seed = 1; seed <= seeds; seed++) {
        files.add(generate(directory, nodes == null ? EMBEDDED_NODES : nodes, hours, seed));
      }
      return new SlsWorkload(files, Optional.of(directory), nodes);
    } catch (IOException | RuntimeException e) {
      delete(directory);
      throw e;
    }
  }

  /** As many jobs for each node and hour as in the paper's simulation of 100 nodes. */
  private static Path generate(Path directory, int nodes, double hours, long seed)
      throws IOException {
    Path file = directory.resolve("seed-" + seed + ".jsonl.gz");
    WorkloadRequest.Draw paper = WorkloadRequest.Draw.ofThePaper();
    double share = nodes / 100.0 * hours / PAPER_HOURS;
    new WorkloadBuilder(
            CellStatistics.published(), new BadRows(true), SlsWorkload::progressIsNotShown)
        .generate(
            new WorkloadRequest(
                file,
                NodeSize.ofThePaper(),
                OptionalInt.of(nodes),
                Optional.of(
                    new WorkloadRequest.Draw(
                        (int) Math.ceil(paper.productionJobs() * share),
                        (int) Math.ceil(paper.bestEffortJobs() * share))),
                OptionalDouble.empty(),
                1,
                seed),
            hours);
    return file;
  }

  private static void progressIsNotShown(String what, long done) {}

  /** Nodes of the cluster. */
  int nodes() {
    return nodes;
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
