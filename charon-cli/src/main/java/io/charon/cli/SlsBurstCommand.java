/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.core.law.SharedPool;
import io.charon.sls.burst.BurstComparison;
import io.charon.sls.burst.BurstJson;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code charon sls burst}: simulates how much a CPU quota delays bursts, in a model of the kernel.
 */
@Command(
    name = "burst",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Simulates how much a CPU quota delays applications whose work comes in bursts, "
          + "and how much a token bucket (cpu-burst) or a shared pool with quotas that follow "
          + "use (AIMD) improves that: figure 14 of Alibaba's SoCC'22 paper, in virtual time. "
          + "Nothing on this machine is changed; the same seeds give the same numbers everywhere.",
      "",
      "20 applications have a quota of one processor each. Their mean use is normally "
          + "distributed around the load, with a standard deviation of a quarter of it. "
          + "Requests arrive at random and need 40 ms of CPU time on average, in 4 threads; "
          + "each application serves one request at a time.",
      "",
      "The columns: delay = how much longer a request took than alone and without a "
          + "quota (mean of all; mean of each application's longest); saved = share of the "
          + "delay above \"unlimited\" that is avoided; U_max = highest use of the pool over 5 "
          + "periods of 100 ms, in percent of all quotas, and in percentage points above the "
          + "run without a bucket; throttled = applications that were ever throttled, and "
          + "periods with throttling. After +-: 95 %% confidence over the seeds.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the table is printed", "1:the file cannot be written", "2:wrong usage"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon sls burst",
      "  charon sls burst --load 45 --seeds 3",
      "  charon sls burst --load 45,60 --pool-high 65 --json burst.json",
    })
final class SlsBurstCommand implements Callable<Integer> {
  private static final double PERCENT = 100;
  private static final int ROUND_SECONDS = (int) (SharedPool.ROUND_MILLIS / 1000);

  @Spec private CommandSpec spec;

  @Option(
      names = "--load",
      split = ",",
      defaultValue = "35,45,55",
      paramLabel = "PERCENT",
      description =
          "Mean use of the pool, 1 to 90; each load gets its own rows. Default: ${DEFAULT-VALUE}.")
  private List<Double> loads;

  @Option(
      names = "--seeds",
      defaultValue = "10",
      paramLabel = "N",
      description = "Number of runs of each load, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      paramLabel = "N",
      description =
          "Virtual seconds that are measured, after a warm-up of 60, 5 to 86400, a multiple "
              + "of 5. Longer runs have higher maximum delays and U_max. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--pool-high",
      defaultValue = "45",
      paramLabel = "PERCENT",
      description =
          "Use above which the shared pool reclaims quotas, 1 to 100 (the paper: 45). "
              + "Default: ${DEFAULT-VALUE}.")
  private double poolHigh;

  @Mixin private JsonFileOption json;

  @Override
  public Integer call() throws IOException {
    loads.forEach(load -> OptionRanges.require(spec, "--load", load, 1, 90));
    OptionRanges.require(spec, "--seeds", seeds, 1, 1000);
    OptionRanges.require(spec, "--seconds", seconds, ROUND_SECONDS, 86_400);
    OptionRanges.require(spec, "--pool-high", poolHigh, 1, 100);
    if (seconds % ROUND_SECONDS != 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds must be a multiple of %d, was %d".formatted(ROUND_SECONDS, seconds));
    }
    List<BurstComparison.Row> rows =
        BurstComparison.run(
            loads.stream().map(load -> load / PERCENT).toList(),
            seeds,
            seconds,
            poolHigh / PERCENT);
    new SlsBurstPrinter(spec.commandLine().getOut()).print(rows, seeds, seconds, poolHigh);
    if (json.file().isEmpty()) {
      return 0;
    }
    new BurstJson().write(rows, seconds, poolHigh / PERCENT, json.file().get());
    return 0;
  }
}
