/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.interference.ReclaimBench;
import io.charon.evaluation.interference.ReclaimLoad;
import io.charon.evaluation.interference.ReclaimOptions;
import io.charon.evaluation.interference.ReclaimReport;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.TimeBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code charon bench reclaim}: measures how much memory that production does not use becomes
 * available to best-effort.
 */
@Command(
    name = "reclaim",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Production on a node of 400 MB holds 200 MB and uses 60 MB of them. Measures the "
          + "memory that the memory limit offers to best-effort, and production's latency: "
          + "with the limit alone, with proactive reclaim, and with the limit alone "
          + "again. Needs root.",
      "",
      "Production: file (pages of a file, mapped), anonymous (on a compressed swap "
          + "device that is created for the run). Reclaim takes more at a time and runs more "
          + "often than by default, so that it finishes within a minute. It reclaims nothing "
          + "while production waits for memory: production that has just read a file has "
          + "waited, and settles for minutes first.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:production ended, or the measurement failed or could not be written",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench reclaim --quick",
      "  charon bench reclaim --load anonymous --settle 0 --json reclaim.json",
    })
final class BenchReclaimCommand implements Callable<Integer> {
  private static final double PERCENT_AT_A_TIME = 5;
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final double WAITED_PERCENT = 0.1;
  private static final Duration QUICK_LENGTH = Duration.ofMillis(3500);
  private static final Duration QUICK_PERIOD = Duration.ofMillis(100);

  /**
   * Never defers reclaim: a quick run is too short for production's wait for the disk to subside.
   */
  private static final double QUICK_WAITED_PERCENT = 100;

  private final Path root;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--load",
      split = ",",
      defaultValue = "file,anonymous",
      paramLabel = "KIND",
      description = "Kind of production's memory. Default: ${DEFAULT-VALUE}.")
  private List<String> loads;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      paramLabel = "N",
      description = "Measured time of each run, 15 to 3600. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--settle",
      defaultValue = "200",
      paramLabel = "N",
      description =
          "Time for production to settle before the measurement, 0 to 3600. Default: "
              + "${DEFAULT-VALUE}.")
  private int settle;

  @Option(
      names = "--repetitions",
      defaultValue = "1",
      paramLabel = "N",
      description =
          "Number of repetitions of all measurements, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int repetitions;

  @Option(
      names = "--quick",
      description =
          "One load for a few seconds, regardless of other options: a check that everything "
              + "works, in at most 20 s.")
  private boolean quick;

  BenchReclaimCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionRanges.require(spec, "--seconds", seconds, 15, 3600);
    OptionRanges.require(spec, "--settle", settle, 0, 3600);
    OptionRanges.require(spec, "--repetitions", repetitions, 1, 1000);
    ReclaimOptions options = options();
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    Report report = ReclaimReport.of(new ReclaimBench(root, out).run(options, budget));
    output.show(report, budget, out);
    return report.ok() ? 0 : 1;
  }

  private ReclaimOptions options() {
    if (quick) {
      return new ReclaimOptions(
          List.of(ReclaimLoad.FILE),
          Duration.ZERO,
          QUICK_LENGTH,
          1,
          PERCENT_AT_A_TIME,
          QUICK_PERIOD,
          QUICK_WAITED_PERCENT);
    }
    List<ReclaimLoad> kinds = new ArrayList<>();
    for (String load : loads) {
      kinds.add(
          ReclaimLoad.of(load)
              .orElseThrow(
                  () ->
                      new ParameterException(
                          spec.commandLine(),
                          "--load: unknown '" + load + "'; choose from file, anonymous")));
    }
    return new ReclaimOptions(
        kinds,
        Duration.ofSeconds(settle),
        Duration.ofSeconds(seconds),
        repetitions,
        PERCENT_AT_A_TIME,
        PERIOD,
        WAITED_PERCENT);
  }
}
