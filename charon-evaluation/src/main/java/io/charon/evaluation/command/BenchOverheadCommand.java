/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.killer.OverheadBench;
import io.charon.evaluation.killer.OverheadOptions;
import io.charon.evaluation.killer.OverheadReport;
import io.charon.evaluation.killer.TimeBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code charon bench overhead}: measures the CPU time that the attached killer adds to a page
 * fault.
 */
@Command(
    name = "overhead",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures the CPU time of a minor page fault without memory pressure and of a major one under reclaim, with"
          + " nothing attached and with the kernel UA killer in its two data sources, in turns.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured, whether or not the targets are met",
      "1:the measurement failed",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench overhead --json overhead.json",
      "  charon bench overhead --quick",
    })
final class BenchOverheadCommand implements Callable<Integer> {
  private static final int REPETITIONS = 30;
  private static final int QUICK_REPETITIONS = 4;

  private final Path root;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description =
          "Number of measurements of each variant, 2 to 1000. Default: " + REPETITIONS + ".")
  private Integer repetitions;

  @Option(
      names = "--quick",
      description =
          QUICK_REPETITIONS
              + " repetitions, unless other options say otherwise: too few for a narrow interval.")
  private boolean quick;

  BenchOverheadCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int times = repetitions != null ? repetitions : quick ? QUICK_REPETITIONS : REPETITIONS;
    OptionRanges.require(spec, "--repetitions", times, 2, 1000);
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    output.show(
        OverheadReport.of(new OverheadBench(root, out).run(new OverheadOptions(times), budget)),
        budget,
        out);
    return 0;
  }
}
