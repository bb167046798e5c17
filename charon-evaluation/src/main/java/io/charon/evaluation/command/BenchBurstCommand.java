/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.Ranges;
import io.charon.evaluation.burst.BurstBench;
import io.charon.evaluation.burst.BurstOptions;
import io.charon.evaluation.burst.BurstReport;
import io.charon.evaluation.killer.TimeBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code charon bench burst}: what a CPU quota costs bursts, and what a bucket gives back. */
@Command(
    name = "burst",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures by how much a CPU quota of 0.2 cores delays work that comes in bursts: as it is usually set, with the"
          + " largest burst of the usual period, with the buckets of cpu-burst (periods of 500 ms and 1 s), and"
          + " without a quota, in turns. As root, in a cgroup of its own, which is removed at the end.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:measured", "1:it could not be measured", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench burst --json burst.json",
      "  charon bench burst --quick",
    })
final class BenchBurstCommand implements Callable<Integer> {
  private static final int BURSTS = 60;
  private static final int QUICK_BURSTS = 15;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--bursts",
      paramLabel = "N",
      description =
          "How many bursts, three a second, 1 to 100000. Default: " + BURSTS + " in each variant.")
  private Integer bursts;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "How often each variant gets them, 1 to 1000. Default: 1.")
  private int repetitions = 1;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the bursts, which all variants share. Default: 1.")
  private long seed = 1;

  @Option(
      names = "--quick",
      description =
          QUICK_BURSTS + " bursts, unless said otherwise: to see that all works; half a minute.")
  private boolean quick;

  @Override
  public Integer call() throws InterruptedException {
    int each = bursts != null ? bursts : quick ? QUICK_BURSTS : BURSTS;
    Ranges.require(spec, "--bursts", each, 1, 100_000);
    Ranges.require(spec, "--repetitions", repetitions, 1, 1000);
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    try {
      output.show(
          BurstReport.of(
              new BurstBench(out).run(new BurstOptions(each, repetitions, seed), budget)),
          budget,
          out);
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println("charon bench burst: " + e.getMessage());
      return 1;
    }
  }
}
