/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.experiment.ExperimentPlan;
import io.charon.sls.experiment.ExperimentPlanBuilder;
import io.charon.sls.experiment.ExperimentReader;
import io.charon.sls.report.ResultFolder;
import io.charon.sls.report.SimulationResult;
import io.charon.sls.run.ComparedRun;
import io.charon.sls.run.Experiment;
import io.charon.sls.run.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code charon sls run}: runs policies on a workload in virtual time and compares them. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs policies on a workload in virtual time: the real CapacityScheduler and opportunistic allocator, the real"
          + " local scheduler and killer, modelled nodes. Every run is repeated for each load and seed; the same command"
          + " gives the same result. An experiment file holds the same settings as the options.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all runs completed",
      "1:the experiment or the workload cannot be used, or the command was interrupted",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon sls run conf/experiments/quickstart.yaml --out results",
      "  charon sls run --policy charon,stock-yarn,threshold --nodes 20 --hours 1",
      "  charon sls run --workload paper.jsonl.gz --load 1,2,3,4 --seeds 5 --json result.json --out results",
      "  charon sls run --workload draw-1.jsonl.gz,draw-2.jsonl.gz --json result.json",
    })
final class SlsRunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "EXPERIMENT",
      description = "An experiment file, see conf/experiments; options take precedence over it.")
  private Path file;

  @Mixin private ExperimentOptions options;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of runs at the same time, 1 to 256. Default: one for each processor.")
  private Integer threads;

  @Mixin private JsonFileOption json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Write report.html, its charts as SVG and PNG, and the numbers as CSV into "
              + "this directory.")
  private Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (threads != null) {
      OptionRanges.require(spec, "--threads", threads, 1, 256);
    }
    PrintWriter err = spec.commandLine().getErr();
    ExperimentPlan plan = plan();
    if (json.file().isPresent()) {
      ResultFolder.prepareFor(json.file().get());
    }
    if (out != null) {
      new ResultFolder(out).prepare();
    }
    try (InterruptHook interrupt = InterruptHook.open();
        SlsWorkload opened = SlsWorkload.open(plan)) {
      err.println(opened.description());
      Experiment experiment = new Experiment(plan.runs(opened.nodes(), opened.size()), opened);
      interrupt.onInterrupt(experiment::interrupt);
      int parallel = threads != null ? threads : Runtime.getRuntime().availableProcessors();
      return runToTheEnd(experiment, plan, opened, parallel);
    }
  }

  private ExperimentPlan plan() throws IOException {
    ExperimentPlanBuilder plan =
        file == null ? new ExperimentPlanBuilder() : ExperimentReader.read(file);
    options.apply(spec, plan);
    return plan.build();
  }

  private int runToTheEnd(
      Experiment experiment, ExperimentPlan plan, SlsWorkload opened, int parallel)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    List<ComparedRun> runs;
    SlsProgress progress =
        SlsProgress.start(
            experiment.progress().values(),
            opened.lastSubmitSeconds(),
            spec.commandLine().getErr());
    try {
      runs = experiment.run(parallel);
    } finally {
      progress.close();
    }
    double wallSeconds = (System.nanoTime() - start) / 1e9;
    SimulationResult result =
        new SimulationResult(
            plan.context(command(), opened.headers(), opened.nodes(), opened.size()),
            runs,
            wallSeconds);
    new SlsResultPrinter(spec.commandLine().getOut()).print(result);
    if (json.file().isPresent()) {
      new ResultJson().write(json.file().get(), result.context(), runs, wallSeconds);
    }
    if (out != null) {
      new ResultFolder(out)
          .write(result)
          .ifPresent(why -> spec.commandLine().getErr().println("no charts: " + why));
    }
    return result.isPartial() ? 1 : 0;
  }

  /** The command line, so that the run can be repeated. */
  private String command() {
    return spec.root().name()
        + " "
        + String.join(" ", spec.commandLine().getParseResult().originalArgs());
  }
}
