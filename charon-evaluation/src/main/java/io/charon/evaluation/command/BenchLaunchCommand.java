/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.launch.LaunchBench;
import io.charon.evaluation.launch.LaunchExecutor;
import io.charon.evaluation.launch.LaunchOptions;
import io.charon.evaluation.launch.LaunchReport;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code charon bench launch}: measures how much Charon delays the start of a container. */
@Command(
    name = "launch",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures the time from the call of the executor to the first instruction of a "
          + "container's command: with YARN's executor, with Charon's, and with YARN's again, "
          + "which shows the noise. The executors are the real ones, called in this process as "
          + "a NodeManager calls them. Needs root. Runs in its own cgroup, which is removed at "
          + "the end, and with the kernel UA killer if it can be loaded.",
      "",
      "The target: Charon starts containers at most 5 ms later than stock YARN (median "
          + "of the differences within a round, with its 95 %% interval), its p99 differs from "
          + "stock's by no more than two runs of stock YARN do, and no container starts "
          + "outside its cgroup. Run it on an otherwise idle machine; it takes about four "
          + "minutes for each executor.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:targets met; times are judged from 200 launches of each kind on",
      "1:a target was missed, or the measurement failed or could not be written",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon bench launch --quick",
      "  charon bench launch --json launch.json",
      "  charon bench launch --executor default --containers best-effort --launches 10000",
      "  charon bench launch --executor linux --container-executor /opt/hadoop/bin/container-executor",
    })
final class BenchLaunchCommand implements Callable<Integer> {
  private static final int LAUNCHES = 1000;
  private static final int QUICK_LAUNCHES = 10;
  private static final String STAND_IN = "integration-tests/src/test/scripts/container-executor";

  private final Path root;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--executor",
      split = ",",
      defaultValue = "default,linux",
      paramLabel = "NAME",
      description =
          "Executors: default (DefaultContainerExecutor), linux (LinuxContainerExecutor "
              + "without YARN's own cgroups; containers run as user nobody). Default: ${DEFAULT-VALUE}.")
  private List<String> executors;

  @Option(
      names = "--containers",
      split = ",",
      defaultValue = "best-effort,production",
      paramLabel = "KIND",
      description = "Kinds of containers. Default: ${DEFAULT-VALUE}.")
  private List<String> containers;

  @Option(
      names = "--launches",
      paramLabel = "N",
      description =
          "Number of containers of each kind for each executor, 1 to 100000. Default: "
              + LAUNCHES
              + ".")
  private Integer launches;

  @Option(
      names = "--container-executor",
      paramLabel = "PROGRAM",
      description =
          "The setuid program of LinuxContainerExecutor, next to its container-executor.cfg. "
              + "Default: a script from the repository's tests that takes its place.")
  private Path program;

  @Option(
      names = "--quick",
      description =
          QUICK_LAUNCHES
              + " launches, unless other options say otherwise: a check that everything works, in "
              + "ten seconds on an idle machine.")
  private boolean quick;

  BenchLaunchCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int times = launches != null ? launches : quick ? QUICK_LAUNCHES : LAUNCHES;
    OptionRanges.require(spec, "--launches", times, 1, 100_000);
    LaunchOptions options =
        new LaunchOptions(
            Names.all(spec, "--executor", executors, LaunchExecutor::of),
            Names.all(spec, "--containers", containers, BenchLaunchCommand::kind),
            times,
            program != null ? program.toAbsolutePath() : root.resolve(STAND_IN));
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    requireProgram(options);
    Report report = LaunchReport.of(new LaunchBench(root, out).run(options, budget));
    output.show(report, budget, out);
    return report.ok() ? 0 : 1;
  }

  private static Optional<ContainerClass> kind(String name) {
    return Arrays.stream(ContainerClass.values())
        .filter(kind -> kind.directoryName().equals(name))
        .findFirst();
  }

  private static void requireProgram(LaunchOptions options) throws IOException {
    if (options.executors().contains(LaunchExecutor.LINUX)
        && !Files.isExecutable(options.program())) {
      throw new IOException(
          options.program()
              + " is not an executable program: name Hadoop's with --container-executor, or "
              + "measure --executor default only");
    }
  }
}
