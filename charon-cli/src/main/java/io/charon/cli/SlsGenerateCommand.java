/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.trace.BadRows;
import io.charon.sls.trace.CellStatistics;
import io.charon.sls.trace.WorkloadBuilder;
import io.charon.sls.trace.WorkloadReport;
import io.charon.sls.trace.WorkloadRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code charon sls generate}: generates a workload without a trace. */
@Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Generates a workload for the simulator from published quantiles of Google's "
          + "cells. The defaults are the mix of the paper's simulation: 754 production and "
          + "3074 best-effort jobs on 100 nodes of 32 cores and 128 GB.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the workload is written",
      "1:the workload is refused, or cannot be written",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon sls generate --out paper.jsonl.gz",
      "  charon sls generate --out x4.jsonl.gz --load 4 --seed 7 --production-ratio 0.70",
      "  charon sls generate --out small.jsonl.gz --nodes 10 --hours 1 --production-jobs 75 \\",
      "    --best-effort-jobs 300",
    })
final class SlsGenerateCommand implements Callable<Integer> {
  private static final int MAX_JOBS = 10_000_000;
  private static final int MAX_NODES = 1_000_000;
  private static final int MAX_LOAD = 100;
  private static final double MAX_HOURS = 10_000;

  @Spec private CommandSpec spec;

  @Mixin private WorkloadOptions options;

  @Option(
      names = "--nodes",
      defaultValue = "100",
      paramLabel = "N",
      description = "Nodes of the cluster, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--production-jobs",
      defaultValue = "754",
      paramLabel = "N",
      description = "Production jobs, 0 to 10000000. Default: ${DEFAULT-VALUE}.")
  private int productionJobs;

  @Option(
      names = "--best-effort-jobs",
      defaultValue = "3074",
      paramLabel = "N",
      description = "Best-effort jobs, 0 to 10000000. Default: ${DEFAULT-VALUE}.")
  private int bestEffortJobs;

  @Option(
      names = "--hours",
      defaultValue = "7",
      paramLabel = "H",
      description = "Length, 0.1 to 10000. Default: ${DEFAULT-VALUE}.")
  private double hours;

  @Option(
      names = "--load",
      defaultValue = "1",
      paramLabel = "X",
      description =
          "Number of times that each best-effort job is submitted, 1 to 100: X1 to X4 of the "
              + "paper. Default: ${DEFAULT-VALUE}.")
  private int load;

  @Override
  public Integer call() throws IOException {
    options.check(spec);
    OptionRanges.require(spec, "--nodes", nodes, 1, MAX_NODES);
    OptionRanges.require(spec, "--production-jobs", productionJobs, 0, MAX_JOBS);
    OptionRanges.require(spec, "--best-effort-jobs", bestEffortJobs, 0, MAX_JOBS);
    OptionRanges.require(spec, "--hours", hours, 0.1, MAX_HOURS);
    OptionRanges.require(spec, "--load", load, 1, MAX_LOAD);
    WorkloadProgress progress = new WorkloadProgress(spec.commandLine().getErr());
    WorkloadReport report =
        new WorkloadBuilder(CellStatistics.published(), new BadRows(true), progress)
            .generate(
                new WorkloadRequest(
                    options.out(),
                    options.node(),
                    OptionalInt.of(nodes),
                    Optional.of(new WorkloadRequest.Draw(productionJobs, bestEffortJobs)),
                    options.productionRatio(),
                    options.productionPageCache(),
                    load,
                    options.seed()),
                hours);
    new WorkloadPrinter(spec.commandLine().getOut())
        .print(report, options.out(), progress.seconds(), options.json());
    return 0;
  }
}
