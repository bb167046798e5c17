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
import io.charon.sls.trace.NodeSize;
import io.charon.sls.trace.SlsJsonReader;
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
      "Makes a workload for the simulator of a trace. Memory over time, which no trace publishes, is made up so that"
          + " all tasks together use 0.50 +- 0.03 of what they ask for, as a real cell does; a workload that cannot is"
          + " refused. docs/workload-format.md tells the rules.",
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
        description = "Draw so many production jobs, those included that were there at the start.")
    private int productionJobs;

    @Option(
        names = "--best-effort-jobs",
        required = true,
        paramLabel = "N",
        description =
            "Draw so many best-effort jobs of those submitted in the window. Both sides get a limit of tasks per job"
                + " with which they ask for the share of memory they had in the trace.")
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
      description =
          "Nodes of the cluster, 1 to 1000000. Default: as many as the traced cell was large.")
  private Integer nodes;

  @Option(
      names = "--strict",
      description = "Stop at the first bad row instead of leaving bad rows out.")
  private boolean strict;

  @Override
  public Integer call() {
    options.check(spec);
    if (nodes != null) {
      OptionRanges.require(spec, "--nodes", nodes, 1, MAX_NODES);
    }
    if (draw != null) {
      OptionRanges.require(spec, "--production-jobs", draw.productionJobs, 0, MAX_JOBS);
      OptionRanges.require(spec, "--best-effort-jobs", draw.bestEffortJobs, 0, MAX_JOBS);
      if (nodes == null) {
        throw new ParameterException(
            spec.commandLine(), "A draw needs --nodes: a few jobs do not fill a whole cell");
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
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println("charon sls import: " + PlainText.escape(String.valueOf(e.getMessage())));
      return 1;
    }
  }

  private TraceReader open(NodeSize node, CellStatistics statistics, BadRows badRows)
      throws IOException {
    return switch (format) {
      case GOOGLE2011 -> new Google2011Reader(input, node, badRows);
      case GOOGLE2011_DERIVED ->
          new Google2011TableReader(input, node, statistics.cell().memory(), badRows);
      case SLS_JSON -> new SlsJsonReader(input, node, badRows);
    };
  }
}
