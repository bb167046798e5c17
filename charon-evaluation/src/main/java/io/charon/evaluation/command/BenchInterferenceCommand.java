/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.interference.InterferenceBench;
import io.charon.evaluation.interference.InterferenceMode;
import io.charon.evaluation.interference.InterferenceOptions;
import io.charon.evaluation.interference.InterferenceReport;
import io.charon.evaluation.interference.InterferenceResult;
import io.charon.evaluation.interference.Pair;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.report.ReportFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code charon bench interference}: measures the cost of best-effort for production that depends
 * on memory.
 */
@Command(
    name = "interference",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures production's speed every 100 ms on a node of 400 MB, next to best-effort "
          + "that grows, reads, writes or starts processes: without protection (none), with a "
          + "fixed memory limit (static-limit), on two nodes (no-contest), with the kernel UA "
          + "killer (killer), with the moving memory limit (limit), and with both. Needs root.",
      "",
      "Production: mapped, file (both read 200 MB of a file at random), anonymous, jvm, postgresql (pgbench, 300 transactions a second). "
          + "Best-effort: grower, stream, random, dirty, tmpfs, forks, jvms. A pair such as "
          + "mapped:stream is warm: production already runs when best-effort starts; in "
          + "mapped:stream:cold (stream, random, dirty) best-effort already runs when "
          + "production starts. docs/interference.md explains the result.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no production was killed, and, from 3 episodes of 10 s on, all targets are met",
      "1:one of these conditions did not hold, or the measurement failed",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench interference --quick",
      "  charon bench interference --pairs mapped:stream,mapped:stream:cold --modes none,limit+killer",
      "  charon bench interference --pairs postgresql:stream,postgresql:jvms --episodes 1 --episode-seconds 10",
      "  charon bench interference --resume episodes.jsonl --at-most 1800 --json interference.json --html interference.html",
    })
final class BenchInterferenceCommand implements Callable<Integer> {
  private static final String TABLE = "table";
  private static final String ALL = "all";
  private static final int EPISODES = 3;
  private static final int SECONDS = 20;
  private static final int QUICK_SECONDS = 5;
  private static final List<String> QUICK_PAIRS =
      List.of(
          "mapped:grower",
          "mapped:stream",
          "mapped:random",
          "mapped:dirty",
          "mapped:stream:cold",
          "postgresql:dirty");
  private static final List<String> QUICK_MODES = List.of("none", "no-contest", "limit+killer");

  private final Path root;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the result as one HTML file.")
  private Path html;

  @Option(
      names = "--pairs",
      split = ",",
      paramLabel = "NAME",
      description =
          "Pairs to measure; table: production mapped, with grower, stream, random and "
              + "dirty; all: every pair. Default: table; with --quick five of them and postgresql:dirty.")
  private List<String> pairs;

  @Option(
      names = "--modes",
      split = ",",
      paramLabel = "NAME",
      description =
          "Modes to measure in addition to production alone. Default: alone-again and all "
              + "others; with --quick none,no-contest,limit+killer.")
  private List<String> modes;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description =
          "Number of episodes of each, 1 to 100. Default: " + EPISODES + "; with --quick 1.")
  private Integer episodes;

  @Option(
      names = "--episode-seconds",
      paramLabel = "S",
      description =
          "Time for which production is measured in each episode, 2 to 600. Default: "
              + SECONDS
              + "; with --quick "
              + QUICK_SECONDS
              + ".")
  private Integer seconds;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Keep each episode in this file, and measure only those that the file does not "
              + "contain yet, so that a run stopped by --at-most or Ctrl-C can be continued.")
  private Path kept;

  @Option(
      names = "--quick",
      description =
          "Six pairs in three modes, once, for 5 s, unless other options say otherwise: a "
              + "check that everything works, in less than 5 minutes.")
  private boolean quick;

  BenchInterferenceCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    InterferenceOptions options = options();
    TimeBudget budget = output.budget(spec);
    PrintWriter progress = spec.commandLine().getErr();
    InterferenceResult result =
        new InterferenceBench(root, progress).run(options, Optional.ofNullable(kept), budget);
    Report report = output.show(InterferenceReport.of(result), budget, spec.commandLine().getOut());
    if (html != null) {
      ReportFiles.write(html, InterferenceReport.html(report, result));
    }
    return report.ok() ? 0 : 1;
  }

  private InterferenceOptions options() {
    int length = seconds != null ? seconds : quick ? QUICK_SECONDS : SECONDS;
    int count = episodes != null ? episodes : quick ? 1 : EPISODES;
    OptionRanges.require(spec, "--episode-seconds", length, 2, 600);
    OptionRanges.require(spec, "--episodes", count, 1, 100);
    List<String> wantedPairs = pairs != null ? pairs : quick ? QUICK_PAIRS : List.of(TABLE);
    List<InterferenceMode> wantedModes =
        modes == null && !quick
            ? Arrays.asList(InterferenceMode.values())
            : Names.all(spec, "--modes", modes != null ? modes : QUICK_MODES, InterferenceMode::of);
    return new InterferenceOptions(
        wantedPairs.stream().flatMap(this::pairsOf).distinct().toList(),
        wantedModes.stream().sorted().toList(),
        count,
        Duration.ofSeconds(length));
  }

  private Stream<Pair> pairsOf(String name) {
    return switch (name) {
      case TABLE -> Pair.table().stream();
      case ALL -> Pair.all().stream();
      default -> Stream.of(Names.one(spec, "--pairs", name, Pair::of));
    };
  }
}
