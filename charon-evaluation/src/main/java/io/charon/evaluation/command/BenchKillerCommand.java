/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.OptionRanges;
import io.charon.cli.PlainText;
import io.charon.evaluation.killer.KillVariants;
import io.charon.evaluation.killer.KillerBench;
import io.charon.evaluation.killer.KillerChart;
import io.charon.evaluation.killer.KillerOptions;
import io.charon.evaluation.killer.KillerReport;
import io.charon.evaluation.killer.KillerResult;
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

/** {@code charon bench killer}: measures how fast different killers end a thrashing container. */
@Command(
    name = "killer",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures the time of kills of thrashing containers: by the kernel UA killer in "
          + "its tiers, by a polling JVM that forks kill(1) as YARN does, and by Linux's OOM "
          + "killer alone. All CPUs are busy, swap is on zram, and the variants take turns.",
      "",
      "Variants: in-kernel, in-kernel+reaper, in-kernel-detect+helper, helper-psi, jvm-poll+fork-exec, linux-oom.",
      "docs/benchmarks.md defines the measured intervals.",
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
      "  charon bench killer --json killer.json --svg killer.svg",
      "  charon bench killer --quick",
      "  charon bench killer --variants in-kernel,in-kernel+reaper --sizes 200 --kills 200",
    })
final class BenchKillerCommand implements Callable<Integer> {
  private static final int KILLS = 30;
  private static final int QUICK_KILLS = 2;
  private static final List<Integer> SIZES = List.of(50, 200, 500);
  private static final List<Integer> QUICK_SIZES = List.of(50);
  private static final int LINUX_WAIT_SECONDS = 20;
  private static final int QUICK_LINUX_WAIT_SECONDS = 10;

  private final Path root;

  @Spec private CommandSpec spec;

  @Mixin private BenchOutput output;

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "NAME",
      description = "Variants to measure. Default: all.")
  private List<String> variants = KillVariants.NAMES;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "MB",
      description = "Sizes of the containers, 20 to 1000. Default: 50,200,500.")
  private List<Integer> sizes;

  @Option(
      names = "--kills",
      paramLabel = "N",
      description =
          "Kills of each variant and size, 1 to 1000; a p99 needs 200. Default: " + KILLS + ".")
  private Integer kills;

  @Option(
      names = "--cgth-ms",
      defaultValue = "500",
      paramLabel = "MS",
      description = "Tolerated thrash, cgth_time, 200 to 10000. Default: ${DEFAULT-VALUE}.")
  private int toleranceMillis;

  @Option(
      names = "--oom-wait-seconds",
      paramLabel = "S",
      description =
          "Time that Linux's OOM killer is given to kill, 1 to 100. Default: "
              + LINUX_WAIT_SECONDS
              + ".")
  private Integer linuxWaitSeconds;

  @Option(
      names = "--quick",
      description =
          "50 MB, 2 kills and 10 s for Linux's OOM killer, unless other options say "
              + "otherwise: less than 90 s.")
  private boolean quick;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Write a chart of all kills to this SVG file.")
  private Path svg;

  BenchKillerCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    KillerOptions options = options();
    TimeBudget budget = output.budget(spec);
    PrintWriter out = spec.commandLine().getOut();
    KillerResult result = new KillerBench(root, out).run(options, budget);
    output.show(KillerReport.of(result), budget, out);
    if (svg != null) {
      KillerChart.write(result, svg);
    }
    return 0;
  }

  private KillerOptions options() {
    int times = kills != null ? kills : quick ? QUICK_KILLS : KILLS;
    int wait =
        linuxWaitSeconds != null
            ? linuxWaitSeconds
            : quick ? QUICK_LINUX_WAIT_SECONDS : LINUX_WAIT_SECONDS;
    List<Integer> megabytes = sizes != null ? sizes : quick ? QUICK_SIZES : SIZES;
    OptionRanges.require(spec, "--kills", times, 1, 1000);
    OptionRanges.require(spec, "--cgth-ms", toleranceMillis, 200, 10_000);
    OptionRanges.require(spec, "--oom-wait-seconds", wait, 1, 100);
    megabytes.forEach(size -> OptionRanges.require(spec, "--sizes", size, 20, 1000));
    for (String variant : variants) {
      if (!KillVariants.NAMES.contains(variant)) {
        throw new ParameterException(
            spec.commandLine(),
            "--variants: no variant '"
                + PlainText.escape(variant)
                + "'; choose from "
                + String.join(", ", KillVariants.NAMES));
      }
    }
    return new KillerOptions(
        variants.stream().distinct().toList(),
        megabytes.stream().distinct().toList(),
        times,
        Duration.ofMillis(toleranceMillis),
        Duration.ofSeconds(wait));
  }
}
