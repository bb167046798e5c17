/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.JsonFileOption;
import io.charon.cli.NodeAddressConverter;
import io.charon.cli.OptionRanges;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.demo.ClusterDemo;
import io.charon.evaluation.demo.ClusterDemoOptions;
import io.charon.evaluation.demo.Demo;
import io.charon.evaluation.demo.DemoMode;
import io.charon.evaluation.demo.DemoOptions;
import io.charon.evaluation.demo.ExistingCluster;
import io.charon.evaluation.demo.WorkloadKind;
import io.charon.status.NodeAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code charon demo}: runs the same jobs with and without Charon on a real cluster on this
 * machine.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs real jobs on a real YARN cluster on this machine, with and without Charon.",
      "",
      "For each mode the demo starts one ResourceManager and two NodeManagers, a "
          + "production job that reserves about two thirds of the memory and uses half of "
          + "that, and best-effort tasks that sort, search and join text: the same tasks, "
          + "submitted at the same times. Each mode begins and ends with production by itself. The demo "
          + "counts the tasks that end within the window with a right result, measures each of "
          + "production's batches, and compares the modes.",
      ""
    },
    footer = {
      "",
      "Modes:",
      "  alone      production only",
      "  stock-yarn best-effort runs within memory that is not reserved",
      "  charon     best-effort runs within memory that is not used",
      "  threshold  best-effort runs while free memory is above a threshold",
      "  regulated  charon, and regulators of best-effort's memory and CPU time",
      "",
      "Examples:",
      "  charon demo",
      "  charon demo --quick --json out.json",
      "  charon demo --with threshold",
      "  charon demo --repeat 5",
      "  charon demo --workload cpu",
      "  charon demo --modes alone,charon --outgrow",
      "  charon demo --modes alone,charon --regulators",
      "  charon demo --workload cpu --calibrate --json out.json",
      "  sudo charon demo --executor linux --container-executor /opt/hadoop/bin/container-executor",
      "  charon demo --cluster /etc/hadoop/conf --quick",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all promised results hold",
      "1:a promised result does not hold, or a run failed",
      "2:wrong usage, or the directory of a result cannot be written",
      "3:inconclusive: production by itself did not keep its pace"
    })
final class DemoCommand implements Callable<Integer> {
  private static final int WINDOW_SECONDS = 80;
  private static final int CPU_WINDOW_SECONDS = 120;
  private static final int QUICK_WINDOW_SECONDS = 45;
  private static final int BASELINE_SECONDS = 8;
  static final int MEMORY_NODE_MB = 2560;
  private static final int CPU_NODE_MB = 3072;
  private static final int INCONCLUSIVE = 3;

  @Spec private CommandSpec spec;

  @Option(
      names = "--modes",
      split = ",",
      defaultValue = "alone,stock-yarn,charon",
      paramLabel = "MODE",
      description = "Modes to run, in this order. Default: ${DEFAULT-VALUE}.")
  private List<String> modes;

  @Option(
      names = "--with",
      split = ",",
      paramLabel = "MODE",
      description = "Modes to run in addition to --modes.")
  private List<String> with = List.of();

  @Option(
      names = "--workload",
      defaultValue = "memory",
      paramLabel = "KIND",
      description =
          "The resource that best-effort is short of: memory, or cpu, a stream of small "
              + "MapReduce jobs that mostly start JVMs. Default: ${DEFAULT-VALUE}.")
  private String workload;

  @Option(
      names = DemoCombinations.QUICK,
      description =
          "A shorter window, " + QUICK_WINDOW_SECONDS + " s, with fewer tasks to measure.")
  private boolean quick;

  @Option(
      names = DemoCombinations.WINDOW,
      paramLabel = "S",
      description =
          "Time during which best-effort jobs are submitted and counted, 10 to 3600. Default: "
              + WINDOW_SECONDS
              + ", up to twice as long on a slow machine (docs/demo.md), and "
              + CPU_WINDOW_SECONDS
              + " with --workload cpu.")
  private Integer windowSeconds;

  @Option(
      names = "--repeat",
      defaultValue = "1",
      paramLabel = "N",
      description =
          "Repeat until there are N conclusive runs in --output, including comparable ones of "
              + "earlier calls, and report median and range. Default: one run.")
  private int repeat;

  @Option(
      names = "--node-memory-mb",
      paramLabel = "MB",
      description =
          "Memory of each of the two nodes. Default: "
              + MEMORY_NODE_MB
              + ", and "
              + CPU_NODE_MB
              + " with --workload cpu.")
  private Integer nodeMemoryMb;

  @Option(
      names = DemoCombinations.INPUT,
      paramLabel = "PATH",
      description =
          "A text file, or a directory of text files, as input. Default: Hadoop's source files.")
  private Path input;

  @Option(
      names = DemoCombinations.INPUT_MB,
      defaultValue = "64",
      paramLabel = "MB",
      description =
          "Size of the input, 16 to 1024; the text is cut or repeated. Default: ${DEFAULT-VALUE}.")
  private int inputMb;

  @Option(
      names = "--output",
      defaultValue = "charon-demo",
      paramLabel = "DIR",
      description =
          "Directory of the chart, memory.svg, and of the runs so far, runs.jsonl. Default: "
              + "./${DEFAULT-VALUE}.")
  private Path output;

  @Option(
      names = "--outgrow",
      description =
          "In modes that reclaim memory, one more best-effort job uses as much memory as a "
              + "node has. With root, mode charon then runs with the kernel UA killer and with "
              + "swap on zram.")
  private boolean outgrow;

  @Option(
      names = "--regulators",
      description =
          "One more mode, regulated: charon with active regulators of memory and CPU time "
              + "(docs/regulators.md), and a report of their decisions. Needs root for cgroups.")
  private boolean regulators;

  @Option(
      names = "--calibrate",
      description =
          "With --workload cpu and --json: after production alone, also run one best-effort job "
              + "of each kind alone, which takes about a minute. The JSON then contains all data "
              + "that \"charon sls validate\" needs.")
  private boolean calibrate;

  @Mixin private ExecutorOption executor;

  @Option(
      names = DemoCombinations.CLUSTER,
      paramLabel = "CONF",
      description =
          "Run on an existing cluster whose client configuration is in this directory: a "
              + "production job, and best-effort jobs for the window. Only the options --nodes, "
              + "--tag, --quick, --window-seconds, --input and --input-mb can be combined with it.")
  private Path cluster;

  @Option(
      names = DemoCombinations.NODES,
      split = ",",
      paramLabel = "HOST:PORT",
      converter = NodeAddressConverter.class,
      description =
          "With --cluster: web addresses of its NodeManagers. Default: those that the "
              + "ResourceManager lists.")
  private List<NodeAddress> nodes = List.of();

  @Option(
      names = DemoCombinations.TAG,
      defaultValue = "besteffort",
      paramLabel = "TAG",
      description =
          "With --cluster: the tag that makes a job best-effort. Default: ${DEFAULT-VALUE}.")
  private String tag;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "File for the chart of the result. Default: demo.html in --output.")
  private Path html;

  @Mixin private JsonFileOption json;

  private final Path root;

  /**
   * Creates the command.
   *
   * @param root the repository
   */
  DemoCommand(Path root) {
    this.root = root;
  }

  @Override
  public Integer call() throws InterruptedException {
    DemoCombinations.require(spec);
    DemoOptions options = options();
    try {
      if (cluster != null) {
        return runOnCluster(options) ? 0 : 1;
      }
      Demo demo =
          new Demo(
              Installation.locate(),
              root,
              spec.commandLine().getOut(),
              Terminal.isStandardOutput());
      return switch (demo.run(options)) {
        case PASSED -> 0;
        case FAILED -> 1;
        case INCONCLUSIVE -> INCONCLUSIVE;
      };
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } catch (IOException | IllegalStateException e) {
      spec.commandLine().getErr().println("charon demo: " + e.getMessage());
      return 1;
    }
  }

  private boolean runOnCluster(DemoOptions options) throws IOException {
    try {
      return new ClusterDemo(
              ExistingCluster.of(cluster, nodes),
              Installation.locate(),
              spec.commandLine().getOut(),
              Terminal.isStandardOutput())
          .run(
              new ClusterDemoOptions(
                  options.workload().window(), options.input().text(), inputMb, tag));
    } catch (InterruptedException e) {
      throw new IOException("interrupted; its jobs are killed and its files removed", e);
    }
  }

  private DemoOptions options() {
    WorkloadKind kind = parseWorkload();
    int seconds = windowSeconds != null ? windowSeconds : usualWindowSeconds(kind);
    OptionRanges.require(spec, DemoCombinations.WINDOW, seconds, 10, 3600);
    OptionRanges.require(spec, "--repeat", repeat, 1, 100);
    OptionRanges.require(spec, DemoCombinations.INPUT_MB, inputMb, 16, 1024);
    List<DemoMode> chosen = parseModes();
    if (calibrate && kind != WorkloadKind.CPU) {
      throw new ParameterException(
          spec.commandLine(), "--calibrate needs --workload cpu, whose jobs can be simulated");
    }
    if (calibrate && !chosen.contains(DemoMode.ALONE)) {
      throw new ParameterException(
          spec.commandLine(), "--calibrate needs mode alone; add it to --modes");
    }
    if (calibrate && json.file().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--calibrate needs --json, the only file that has its results");
    }
    if (outgrow && chosen.stream().noneMatch(DemoMode::reclaimsMemory)) {
      throw new ParameterException(
          spec.commandLine(),
          "--outgrow needs a mode that reclaims memory: add charon, threshold or regulated to --modes");
    }
    return new DemoOptions(
        chosen,
        repeat,
        true,
        calibrate,
        executor.linux(spec, System.getenv()),
        new DemoOptions.Workload(
            kind,
            Duration.ofSeconds(BASELINE_SECONDS),
            Duration.ofSeconds(seconds),
            kind == WorkloadKind.MEMORY && !quick && windowSeconds == null,
            nodeMemoryMb != null
                ? nodeMemoryMb
                : kind == WorkloadKind.MEMORY ? MEMORY_NODE_MB : CPU_NODE_MB,
            outgrow),
        new DemoOptions.Input(Optional.ofNullable(input), inputMb),
        new DemoOptions.Output(
            output, html != null ? html : output.resolve("demo.html"), json.file()));
  }

  private int usualWindowSeconds(WorkloadKind kind) {
    if (quick) {
      return QUICK_WINDOW_SECONDS;
    }
    return kind == WorkloadKind.MEMORY ? WINDOW_SECONDS : CPU_WINDOW_SECONDS;
  }

  private WorkloadKind parseWorkload() {
    try {
      return WorkloadKind.of(workload);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--workload: " + e.getMessage(), e);
    }
  }

  private List<DemoMode> parseModes() {
    try {
      return Stream.concat(
              Stream.concat(modes.stream(), with.stream()).map(DemoMode::of),
              regulators ? Stream.of(DemoMode.REGULATED) : Stream.empty())
          .distinct()
          .toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--modes, --with: " + e.getMessage(), e);
    }
  }
}
