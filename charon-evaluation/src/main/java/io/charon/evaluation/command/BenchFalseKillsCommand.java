/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.killer.FalseKillsBench;
import io.charon.evaluation.killer.FalseKillsOptions;
import io.charon.evaluation.killer.FalseKillsReport;
import io.charon.evaluation.killer.Report;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code charon bench false-kills}: measures whether the killer kills the right containers. */
@Command(
    name = "false-kills",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs random mixes of containers on a small node: production within its share, "
          + "readers, spilling sorts, JVMs, fork bursts, and best-effort containers that need "
          + "more than their share. The script of a round knows which containers are guilty. "
          + "Counts production kills, innocent victims, kills without relief, and thrash that "
          + "no kill ended.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no production container was killed or ended otherwise; with fewer than 60 rounds also: each "
          + "container that thrashed anonymous memory was killed; from 60 rounds on instead: at least 95 %% of "
          + "anonymous thrash ended in time, and at most 1 innocent container was killed in 60 rounds",
      "1:one of these conditions did not hold, or the measurement failed",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench false-kills --rounds 20",
      "  charon bench false-kills --rounds 1 --seed 7 --json one.json",
    })
final class BenchFalseKillsCommand implements Callable<Integer> {
  private static final int ROUNDS = 20;
  private static final int QUICK_ROUNDS = 3;

  private static final List<String> FILE_REFAULTS =
      List.of("any", "recent", "workingset", "fitting");

  private final Path root;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Number of rounds, 1 to 10000. Default: " + ROUNDS + ".")
  private Integer rounds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "S",
      description =
          "Seed of the first round; each further round uses the next seed. Rounds of the "
              + "same seed are identical. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--cgth-ms",
      defaultValue = "3000",
      paramLabel = "MS",
      description = "Tolerated thrash, cgth_time, 200 to 10000. Default: ${DEFAULT-VALUE}.")
  private int toleranceMillis;

  @Option(
      names = "--episode-seconds",
      paramLabel = "S",
      description =
          "Time for which each guilty container of a round is watched, at least cgth_time "
              + "and 3 s, at most 600. Default: cgth_time and 5 s.")
  private Integer episodeSeconds;

  @Option(
      names = "--file-refaults",
      paramLabel = "KIND",
      defaultValue = "workingset",
      description =
          "Refaults of file pages that count: any, recent, workingset, fitting. Default: "
              + "${DEFAULT-VALUE}, as in the killer.")
  private String fileRefaults;

  @Option(
      names = "--quick",
      description = QUICK_ROUNDS + " rounds, unless other options say otherwise.")
  private boolean quick;

  BenchFalseKillsCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int count = rounds != null ? rounds : quick ? QUICK_ROUNDS : ROUNDS;
    OptionRanges.require(spec, "--rounds", count, 1, 10_000);
    OptionRanges.require(spec, "--cgth-ms", toleranceMillis, 200, 10_000);
    Duration tolerance = Duration.ofMillis(toleranceMillis);
    Duration episode =
        episodeSeconds == null
            ? tolerance.plus(FalseKillsOptions.AFTER_TOLERANCE)
            : Duration.ofSeconds(episodeSeconds);
    if (episodeSeconds != null) {
      long least =
          tolerance.plus(FalseKillsOptions.MIN_AFTER_TOLERANCE).plusMillis(999).toSeconds();
      OptionRanges.require(spec, "--episode-seconds", episodeSeconds, (int) least, 600);
    }
    if (!FILE_REFAULTS.contains(fileRefaults)) {
      throw new ParameterException(
          spec.commandLine(),
          "--file-refaults %s is not one of %s".formatted(fileRefaults, FILE_REFAULTS));
    }
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    Report report =
        FalseKillsReport.of(
            new FalseKillsBench(root, out)
                .run(new FalseKillsOptions(count, seed, tolerance, episode, fileRefaults), budget));
    output.show(report, budget, out);
    return report.ok() ? 0 : 1;
  }
}
