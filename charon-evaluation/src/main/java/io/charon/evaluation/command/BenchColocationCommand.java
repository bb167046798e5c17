/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.cli.PlainText;
import io.charon.evaluation.colocation.ColocationBench;
import io.charon.evaluation.colocation.ColocationMode;
import io.charon.evaluation.colocation.ColocationOptions;
import io.charon.evaluation.colocation.ColocationReport;
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
 * {@code charon bench colocation}: measures the cost of best-effort work for production on the same
 * node.
 */
@Command(
    name = "colocation",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs a foreground next to best-effort work on a node that consists of its own "
          + "cgroups and network namespaces, in turns: alone, without limits, with static "
          + "limits and with regulators. Scenarios: cpu (a web server that compresses pages), "
          + "network (a server that streams files over a link), memory (a service that grows); "
          + "agent measures the cost of the agent with every mechanism in enforce.",
      "",
      "Modes: none, static-quota-N, static-rate-N, static-memory-N (N: percent of the "
          + "node's CPU, link or memory), cpu, cpu-run-queue, cpu-instructions, network, "
          + "network-give-way, memory, evict-line, evict-psi, all; for cpu also suppress-N (a water "
          + "line of N percent), idle (the kernel's idle class), evict-satisfaction, and default "
          + "(the agent with all its defaults). In every other mode the agent runs with nothing on "
          + "but what the mode names. The foreground alone (twice: the difference between both is "
          + "noise) and the background alone always run. docs/colocation-benchmark.md lists the "
          + "modes' keys and explains the result.",
      "",
      "With --at-most, what has begun is a whole repetition of a scenario, all modes "
          + "included: it is finished, in up to 20 minutes.",
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
      "  charon bench colocation --json colocation.json",
      "  charon bench colocation --quick",
      "  charon bench colocation --scenario cpu --modes none,static-quota-25,cpu --repetitions 5",
      "  charon bench colocation --scenario cpu --modes suppress-65,suppress-95,idle,default",
    })
final class BenchColocationCommand implements Callable<Integer> {
  private static final int REPETITIONS = 1;
  private static final int SECONDS = 54;
  private static final int QUICK_SECONDS = 4;
  private static final int QUICK_WINDOW_SECONDS = 6;

  private final Path root;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--scenario",
      split = ",",
      paramLabel = "NAME",
      description = "Scenarios to run. Default: cpu,network,memory,agent.")
  private List<String> scenarios = ColocationBench.SCENARIOS;

  @Option(
      names = "--modes",
      split = ",",
      paramLabel = "NAME",
      description = "Modes to run, in the scenarios that have them. Default: all.")
  private List<String> modes;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Number of runs of each mode, 1 to 100. Default: " + REPETITIONS + ".")
  private int repetitions = REPETITIONS;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Measured time of each run, 3 to 3600. Default: " + SECONDS + ".")
  private Integer seconds;

  @Option(
      names = "--window",
      paramLabel = "S",
      description =
          "Window of all regulators, seconds, 5 to 3600. Default: the paper's, 15 (cpu), 30"
              + " (network) and 60 (memory).")
  private Integer windowSeconds;

  @Option(
      names = "--quick",
      description =
          "Runs of "
              + QUICK_SECONDS
              + " s, windows of "
              + QUICK_WINDOW_SECONDS
              + " s and one static limit, unless other options say otherwise: a check that "
              + "everything works, in less than 6 minutes.")
  private boolean quick;

  @Option(
      names = "--audit",
      paramLabel = "DIR",
      description =
          "Write the regulators' actions to audit files in this directory, as a NodeManager does.")
  private Path audit;

  BenchColocationCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ColocationOptions options = options();
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    output.show(
        ColocationReport.of(new ColocationBench(root, out).run(options, budget)), budget, out);
    return 0;
  }

  private ColocationOptions options() {
    int measured = seconds != null ? seconds : quick ? QUICK_SECONDS : SECONDS;
    Integer window =
        windowSeconds == null && quick ? Integer.valueOf(QUICK_WINDOW_SECONDS) : windowSeconds;
    OptionRanges.require(spec, "--repetitions", repetitions, 1, 100);
    OptionRanges.require(spec, "--seconds", measured, 3, 3600);
    if (window != null) {
      OptionRanges.require(spec, "--window", window, 5, 3600);
    }
    for (String scenario : scenarios) {
      if (!ColocationBench.SCENARIOS.contains(scenario)) {
        throw wrong(
            "--scenario: no scenario '"
                + PlainText.escape(scenario)
                + "'; choose from "
                + String.join(", ", ColocationBench.SCENARIOS));
      }
    }
    return new ColocationOptions(
        scenarios.stream().distinct().toList(),
        Optional.ofNullable(modes).map(names -> names.stream().distinct().map(this::mode).toList()),
        repetitions,
        Duration.ofSeconds(measured),
        Optional.ofNullable(window).map(Duration::ofSeconds),
        quick,
        Optional.ofNullable(audit));
  }

  private ColocationMode mode(String name) {
    return ColocationMode.of(name)
        .orElseThrow(
            () ->
                wrong(
                    "--modes: no mode '"
                        + PlainText.escape(name)
                        + "'; see charon bench colocation --help"));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
