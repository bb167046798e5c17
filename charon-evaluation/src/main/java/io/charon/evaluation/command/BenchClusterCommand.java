/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.clusterbench.BestEffortKind;
import io.charon.evaluation.clusterbench.BestEffortPlacement;
import io.charon.evaluation.clusterbench.ClusterBench;
import io.charon.evaluation.clusterbench.ClusterHtml;
import io.charon.evaluation.clusterbench.ClusterMode;
import io.charon.evaluation.clusterbench.ClusterOptions;
import io.charon.evaluation.clusterbench.ClusterReport;
import io.charon.evaluation.clusterbench.ClusterResult;
import io.charon.evaluation.clusterbench.ProductionKind;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.TimeBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code charon bench cluster}: compares Charon, a threshold policy and stock YARN on a real
 * cluster.
 */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs production and best-effort jobs on a real YARN cluster of two NodeManagers "
          + "whose nodes are memory cgroups, in turns: production alone (twice: the difference "
          + "between both is noise), with stock YARN's best-effort (stock-yarn), with a policy "
          + "that starts containers by free memory only (threshold) and with charon. Needs root.",
      "",
      "Production: batch (a MapReduce job of many tasks), service (PostgreSQL, which "
          + "depends on the page cache), steps (tasks that grow and shrink). "
          + "docs/cluster-benchmark.md explains the result.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured, whether or not the targets are met",
      "1:the measurement failed, or production failed in a run",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench cluster --quick",
      "  charon bench cluster --repetitions 3 --json cluster.json --html cluster.html",
      "  charon bench cluster --production service --load 3 --modes threshold,charon",
      "  charon bench cluster --production batch --load 3 --best-effort tasks --repetitions 3 --seconds 180 --resume runs.jsonl",
    })
final class BenchClusterCommand implements Callable<Integer> {
  private static final int REPETITIONS = 1;
  private static final int SECONDS = 300;
  private static final int QUICK_SECONDS = 80;

  private final Path root;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the result as one HTML file.")
  private Path html;

  @Option(
      names = "--production",
      split = ",",
      paramLabel = "NAME",
      description =
          "Production loads to run. Default: batch,service,steps; with --quick batch,service.")
  private List<String> productions;

  @Option(
      names = "--modes",
      split = ",",
      paramLabel = "NAME",
      description =
          "Modes to run in addition to production alone. Default: stock-yarn,threshold,charon.")
  private List<String> modes = List.of("stock-yarn", "threshold", "charon");

  @Option(
      names = "--load",
      split = ",",
      paramLabel = "N",
      description =
          "Number of times that each best-effort submission is repeated, 1 to 10. Default: "
              + "1,2,3; with --quick 3.")
  private List<Integer> loads;

  @Option(
      names = "--best-effort",
      paramLabel = "KIND",
      description =
          "Best-effort jobs: mapreduce (default; processors are scarcer than memory) or tasks "
              + "(programs that hold their memory until they end: memory is scarce from X3 on).")
  private String bestEffort = "mapreduce";

  @Option(
      names = "--placement",
      paramLabel = "NAME",
      description =
          "Component that chooses the nodes of best-effort containers: centralized (the "
              + "ResourceManager; default) or distributed (the NodeManagers; only with mapreduce, "
              + "whose jobs can ask for it).")
  private String placement = "centralized";

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Number of runs of each mode, 1 to 100. Default: " + REPETITIONS + ".")
  private int repetitions = REPETITIONS;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description =
          "The horizon of each run: the time for which production is measured and "
              + "best-effort jobs are counted, 10 to 3600. Default: "
              + SECONDS
              + "; with --quick "
              + QUICK_SECONDS
              + ".")
  private Integer seconds;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Keep each run in this file, and measure only those that the file does not contain "
              + "yet, so that a benchmark stopped by --at-most or Ctrl-C can be continued.")
  private Path kept;

  @Option(
      names = "--quick",
      description =
          "Short runs of batch and service at X3, unless other options say otherwise: a "
              + "check that everything works, in less than 20 minutes.")
  private boolean quick;

  BenchClusterCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws InterruptedException {
    ClusterOptions options = options();
    TimeBudget budget = output.budget(spec);
    PrintWriter progress = spec.commandLine().getErr();
    try {
      ClusterResult result =
          new ClusterBench(root, Installation.locate(), progress)
              .run(options, Optional.ofNullable(kept), budget);
      Report report = output.show(ClusterReport.of(result), budget, spec.commandLine().getOut());
      if (html != null) {
        ClusterHtml.write(html, report, result);
      }
      return report.ok() ? 0 : 1;
    } catch (IOException | IllegalStateException e) {
      progress.println("charon bench cluster: " + e.getMessage());
      return 1;
    }
  }

  private ClusterOptions options() {
    int horizon = seconds != null ? seconds : quick ? QUICK_SECONDS : SECONDS;
    List<Integer> chosenLoads = loads != null ? loads : quick ? List.of(3) : List.of(1, 2, 3);
    List<String> chosenProductions =
        productions != null
            ? productions
            : quick ? List.of("batch", "service") : List.of("batch", "service", "steps");
    OptionRanges.require(spec, "--repetitions", repetitions, 1, 100);
    OptionRanges.require(spec, "--seconds", horizon, 10, 3600);
    chosenLoads.forEach(load -> OptionRanges.require(spec, "--load", load, 1, 10));
    BestEffortKind kind = Names.one(spec, "--best-effort", bestEffort, BestEffortKind::of);
    BestEffortPlacement where = Names.one(spec, "--placement", placement, BestEffortPlacement::of);
    if (kind == BestEffortKind.TASKS && where == BestEffortPlacement.DISTRIBUTED) {
      throw new ParameterException(
          spec.commandLine(),
          "--best-effort tasks needs --placement centralized: its applications do not ask for"
              + " opportunistic containers themselves");
    }
    return new ClusterOptions(
        Names.all(spec, "--production", chosenProductions, ProductionKind::of),
        Names.all(spec, "--modes", modes, ClusterMode::of),
        chosenLoads.stream().distinct().sorted().toList(),
        kind,
        where,
        repetitions,
        Duration.ofSeconds(horizon),
        quick);
  }
}
