/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.burst.BurstBench;
import io.charon.evaluation.burst.BurstOptions;
import io.charon.evaluation.burst.BurstReport;
import io.charon.evaluation.killer.TimeBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code charon bench burst}: measures how much CPU quotas delay bursts, and how much token buckets
 * avoid.
 */
@Command(
    name = "burst",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures how much CPU quotas delay applications that work in bursts and share the "
          + "processors: with the usual quotas, with the largest burst of the usual period, "
          + "with the buckets of cpu-burst (periods of 500 ms and 1 s), with those of a shared "
          + "pool (cpu-pool), and without quotas, in turns, the first of them twice. Needs "
          + "root. Runs in its own cgroups, which are removed at the end.",
      "",
      "It is charon sls burst on a real kernel: 20 applications with quotas that add up "
          + "to all processors, at most a quarter of a processor each; their mean use is "
          + "normally distributed around the load. Run it on an otherwise idle machine: a "
          + "repetition takes nine minutes for each load.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:measured", "1:the measurement failed", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench burst --repetitions 3 --json burst.json",
      "  charon bench burst --load 45 --pool-high 65",
      "  charon bench burst --quick",
    })
final class BenchBurstCommand implements Callable<Integer> {
  private static final double PERCENT = 100;
  private static final int RUN_IN_SECONDS = 5;
  private static final int POOL_RUN_IN_SECONDS = 60;
  private static final int QUICK_APPLICATIONS = 4;
  private static final int QUICK_SECONDS = 2;
  private static final double QUICK_LOAD = 45;

  /** Time before a quick measurement, seconds; the pool decides for the first time after 5 s. */
  private static final int QUICK_POOL_RUN_IN_SECONDS = 6;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--load",
      split = ",",
      defaultValue = "35,45,55",
      paramLabel = "PERCENT",
      description =
          "Mean use of all quotas, 1 to 90; each load gets its own rows. Default: "
              + "${DEFAULT-VALUE}.")
  private List<Double> loads;

  @Option(
      names = "--applications",
      defaultValue = "20",
      paramLabel = "N",
      description =
          "Number of applications that share the processors, 1 to 200. Default: ${DEFAULT-VALUE}.")
  private int applications;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      paramLabel = "N",
      description =
          "Measured time of each variant, 1 to 3600, after a warm-up of "
              + RUN_IN_SECONDS
              + " s, "
              + POOL_RUN_IN_SECONDS
              + " s for the shared pool. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--repetitions",
      defaultValue = "1",
      paramLabel = "N",
      description = "Number of measurements of each variant, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int repetitions;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description =
          "Seed of the bursts, which are the same for all variants of a repetition, and of "
              + "the order of the variants. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--pool-high",
      defaultValue = "45",
      paramLabel = "PERCENT",
      description =
          "Use of all quotas above which the shared pool reclaims quotas, 1 to 100 (the "
              + "paper: 45). Default: ${DEFAULT-VALUE}.")
  private double poolHigh;

  @Option(
      names = "--quick",
      description =
          "Four applications, one load, two seconds each, regardless of other options: a "
              + "check that everything works, in half a minute.")
  private boolean quick;

  @Override
  public Integer call() throws IOException, InterruptedException {
    loads.forEach(load -> OptionRanges.require(spec, "--load", load, 1, 90));
    OptionRanges.require(spec, "--applications", applications, 1, 200);
    OptionRanges.require(spec, "--seconds", seconds, 1, 3600);
    OptionRanges.require(spec, "--repetitions", repetitions, 1, 1000);
    OptionRanges.require(spec, "--pool-high", poolHigh, 1, 100);
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    output.show(BurstReport.of(new BurstBench(out).run(options(), budget)), budget, out);
    return 0;
  }

  private BurstOptions options() {
    return quick
        ? new BurstOptions(
            List.of(QUICK_LOAD / PERCENT),
            QUICK_APPLICATIONS,
            QUICK_SECONDS,
            1,
            QUICK_POOL_RUN_IN_SECONDS,
            1,
            seed,
            poolHigh / PERCENT)
        : new BurstOptions(
            loads.stream().map(load -> load / PERCENT).toList(),
            applications,
            seconds,
            RUN_IN_SECONDS,
            POOL_RUN_IN_SECONDS,
            repetitions,
            seed,
            poolHigh / PERCENT);
  }
}
