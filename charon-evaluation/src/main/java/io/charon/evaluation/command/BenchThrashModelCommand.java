/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.killer.ThrashModelBench;
import io.charon.evaluation.killer.ThrashModelOptions;
import io.charon.evaluation.killer.ThrashModelReport;
import io.charon.evaluation.killer.ThrashModelResult;
import io.charon.evaluation.killer.TimeBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code charon bench thrash-model}: measures how work slows down when its memory does not fit. */
@Command(
    name = "thrash-model",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures how much longer work takes when its memory does not fit: anonymous pages "
          + "with swap on zram, and pages of a file, each with and without computation, at "
          + "several ratios of used to available memory. The simulator ships the file of "
          + "--out. docs/benchmarks.md describes the programs and the assumptions.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:measured", "1:the measurement failed", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench thrash-model --json thrash.json --out thrash-model.properties",
      "  charon bench thrash-model --quick",
    })
final class BenchThrashModelCommand implements Callable<Integer> {
  private static final int REPETITIONS = 3;
  private static final int QUICK_REPETITIONS = 1;
  private static final List<Double> RATIOS = List.of(1.05, 1.11, 1.25, 1.5, 2.0, 3.0);
  private static final List<Double> FEW_RATIOS = List.of(1.25, 2.0);
  private static final List<Double> SHARED_RATIOS = List.of(1.25);
  private static final Duration INTERVAL = Duration.ofMillis(400);
  private static final Duration QUICK_INTERVAL = Duration.ofMillis(250);

  private final Path root;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description =
          "Number of runs of each program at each ratio, 1 to 1000. Default: " + REPETITIONS + ".")
  private Integer repetitions;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write the curves of the programs that compute, in the simulator's format.")
  private Path out;

  @Option(
      names = "--quick",
      description =
          "Two ratios, a quarter of a second each, and one repetition, unless other options "
              + "say otherwise.")
  private boolean quick;

  BenchThrashModelCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int times = repetitions != null ? repetitions : quick ? QUICK_REPETITIONS : REPETITIONS;
    OptionRanges.require(spec, "--repetitions", times, 1, 1000);
    TimeBudget budget = output.budget(spec);
    PrintWriter text = spec.commandLine().getOut();
    ThrashModelResult result =
        new ThrashModelBench(root, text)
            .run(
                new ThrashModelOptions(
                    quick ? FEW_RATIOS : RATIOS,
                    FEW_RATIOS,
                    SHARED_RATIOS,
                    times,
                    quick ? QUICK_INTERVAL : INTERVAL),
                budget);
    output.show(ThrashModelReport.of(result), budget, text);
    if (out != null && budget.cutShort()) {
      text.println(out + " is not written, because some programs or ratios were not measured.");
    } else if (out != null) {
      ThrashModelReport.writeModel(result, out);
    }
    return 0;
  }
}
