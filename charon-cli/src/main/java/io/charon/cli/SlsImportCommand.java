/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.trace.BadRows;
import io.charon.sls.trace.CellStatistics;
import io.charon.sls.trace.Google2011Reader;
import io.charon.sls.trace.Google2011TableReader;
import io.charon.sls.trace.SlsJsonReader;
import io.charon.sls.trace.TraceNodeSize;
import io.charon.sls.trace.TraceReader;
import io.charon.sls.trace.WorkloadBuilder;
import io.charon.sls.trace.WorkloadReport;
import io.charon.sls.trace.WorkloadRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code charon sls import}: converts a trace into a workload. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Converts a trace to a workload for the simulator. Memory over time, which no "
          + "trace publishes, is synthesized so that all tasks together use 0.50 +- 0.03 of "
          + "what they request, as in a real cell; a trace for which this is impossible is "
          + "refused. docs/workload-format.md describes the rules.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the workload is written",
      "1:the trace cannot be used, or the workload is refused",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon sls import --trace-format google2011 --input clusterdata --out cell.jsonl.gz",
      "  charon sls import --trace-format google2011 --input clusterdata --out paper.jsonl.gz \\",
      "    --production-jobs 754 --best-effort-jobs 3074 --nodes 100 --production-ratio 0.70",
      "  charon sls import --trace-format sls-json --input trace.json --nodes 20 --out w.jsonl.gz",
    })
final class SlsImportCommand implements Callable<Integer> {
  private static final int MAX_JOBS = 10_000_000;
  private static final int MAX_NODES = 1_000_000;

  /** The trace lasts 29 days. */
  private static final int MAX_BEGIN_HOURS = 700;

  /** The formats of traces. */
  private enum TraceFormat {
    GOOGLE2011("google2011"),
    GOOGLE2011_DERIVED("google2011-derived"),
    SLS_JSON("sls-json");

    private final String label;

    TraceFormat(String label) {
      this.label = label;
    }

    @Override
    public String toString() {
      return label;
    }
  }

  /** The options of a draw, which needs both. */
  private static final class DrawOptions {
    @Option(
        names = "--production-jobs",
        required = true,
        paramLabel = "N",
        description =
            "Number of production jobs to draw, including those that run at the start of the trace.")
    private int productionJobs;

    @Option(
        names = "--best-effort-jobs",
        required = true,
        paramLabel = "N",
        description =
            "Number of best-effort jobs to draw from those submitted in the window. Production "
                + "and best-effort each get a limit of tasks per job with which they request the "
                + "same share of memory as in the trace.")
    private int bestEffortJobs;
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--trace-format",
      required = true,
      paramLabel = "FORMAT",
      description = "One of ${COMPLETION-CANDIDATES}.")
  private TraceFormat format;

  @Option(
      names = "--input",
      required = true,
      paramLabel = "DIR",
      description =
          "google2011: directory with job_events, task_events and machine_events. google2011-derived: directory with"
              + " tasks_*.csv.gz and jobs_*.csv.gz. sls-json: a file, or a directory of them.")
  private Path input;

  @Mixin private WorkloadOptions options;

  @ArgGroup(exclusive = false)
  private DrawOptions draw;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Number of nodes, 1 to 1000000. Default: the size of the traced cell.")
  private Integer nodes;

  @Option(
      names = "--begin-hours",
      paramLabel = "H",
      defaultValue = "0",
      description =
          "google2011: hours of the trace before the window, 0 to 700. Jobs that run when it begins are drawn as those "
              + "at the start of the trace are. Default: ${DEFAULT-VALUE}.")
  private int beginHours;

  @Option(
      names = "--strict",
      description = "Stop at the first bad row instead of leaving bad rows out.")
  private boolean strict;

  @Override
  public Integer call() throws IOException {
    options.check(spec);
    OptionRanges.require(spec, "--begin-hours", beginHours, 0, MAX_BEGIN_HOURS);
    if (beginHours > 0 && format != TraceFormat.GOOGLE2011) {
      throw new ParameterException(
          spec.commandLine(), "--begin-hours is for --trace-format google2011");
    }
    if (nodes != null) {
      OptionRanges.require(spec, "--nodes", nodes, 1, MAX_NODES);
    }
    if (draw != null) {
      OptionRanges.require(spec, "--production-jobs", draw.productionJobs, 0, MAX_JOBS);
      OptionRanges.require(spec, "--best-effort-jobs", draw.bestEffortJobs, 0, MAX_JOBS);
      if (nodes == null) {
        throw new ParameterException(
            spec.commandLine(), "Drawing jobs needs --nodes: a few jobs do not fill a whole cell");
      }
    }
    WorkloadProgress progress = new WorkloadProgress(spec.commandLine().getErr());
    CellStatistics statistics = CellStatistics.published();
    BadRows badRows = new BadRows(strict);
    try (TraceReader reader = open(options.node(), statistics, badRows)) {
      WorkloadReport report =
          new WorkloadBuilder(statistics, badRows, progress)
              .fromTrace(
                  reader,
                  new WorkloadRequest(
                      options.out(),
                      options.node(),
                      nodes == null ? OptionalInt.empty() : OptionalInt.of(nodes),
                      Optional.ofNullable(draw)
                          .map(d -> new WorkloadRequest.Draw(d.productionJobs, d.bestEffortJobs)),
                      options.productionRatio(),
                      options.productionPageCache(),
                      1,
                      options.seed()));
      new WorkloadPrinter(spec.commandLine().getOut())
          .print(report, options.out(), progress.seconds(), options.json());
      return 0;
    }
  }

  private TraceReader open(TraceNodeSize node, CellStatistics statistics, BadRows badRows)
      throws IOException {
    return switch (format) {
      case GOOGLE2011 -> new Google2011Reader(input, node, badRows, beginHours);
      case GOOGLE2011_DERIVED ->
          new Google2011TableReader(input, node, statistics.cell().memory(), badRows);
      case SLS_JSON -> new SlsJsonReader(input, node, badRows);
    };
  }
}
