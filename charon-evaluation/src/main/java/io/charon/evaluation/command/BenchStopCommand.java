/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.stop.StopBench;
import io.charon.evaluation.stop.StopReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code charon bench stop}: measures how soon an operator's order ends the launches. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures how long best-effort containers are still launched after charon stop, on a "
          + "node and in the cluster: on a ResourceManager and a NodeManager on this machine that "
          + "launch short tasks without end. Each order is revoked before the next one. Needs no "
          + "root.",
      "",
      "The targets: no launch later than 1 s after a stop of the node, and 6 s after one "
          + "of the cluster, which nodes ask for every 5 s. Run it on an otherwise idle machine; it "
          + "takes about four minutes.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:targets met",
      "1:a target was missed, or the measurement failed or could not be written",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {"  charon bench stop --json stop.json", "  charon bench stop --quick"})
final class BenchStopCommand implements Callable<Integer> {
  private static final int REPETITIONS = 10;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description =
          "Number of orders to a node, and of orders to the cluster, 1 to 1000. Default: "
              + REPETITIONS
              + ".")
  private Integer repetitions;

  @Option(
      names = "--quick",
      description = "One order of each kind, unless other options say otherwise: 40 s.")
  private boolean quick;

  @Override
  public Integer call() throws IOException, InterruptedException {
    int times = repetitions != null ? repetitions : quick ? 1 : REPETITIONS;
    OptionRanges.require(spec, "--repetitions", times, 1, 1000);
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    Report report = StopReport.of(new StopBench(out).run(times, budget));
    output.show(report, budget, out);
    return report.ok() ? 0 : 1;
  }
}
