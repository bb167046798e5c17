/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.run.ComparedRun;
import io.charon.sls.run.Experiment;
import io.charon.sls.run.ResultJson;
import io.charon.sls.run.RunSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code charon sls run}: runs policies on a workload in virtual time and compares them. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs policies on a workload in virtual time: the real CapacityScheduler and opportunistic allocator, the real"
          + " local scheduler and killer, modelled nodes of 32 cores and 128 GB. Every run is repeated for each load and"
          + " seed; the same command gives the same result.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything ran",
      "1:the workload cannot be used, or it was interrupted",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon sls run --policy charon,mercury,kuber --nodes 20 --hours 1",
      "  charon sls run --workload paper.jsonl.gz --load 1,2,3,4 --seeds 5 --json result.json --out results",
    })
final class SlsRunCommand implements Callable<Integer> {
  static final String SUPPORTED_HADOOP = "3.4";

  private static final int MOST_NODES = 60_000;
  private static final int MOST_LOAD = 100;
  private static final int MOST_SEEDS = 1000;
  private static final double MOST_HOURS = 1000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--workload",
      defaultValue = "embedded",
      paramLabel = "FILE",
      description =
          "A file of charon sls generate or import, or \"embedded\": generated for these nodes, afresh for each seed."
              + " Default: ${DEFAULT-VALUE}.")
  private String workload;

  @Option(
      names = "--policy",
      split = ",",
      defaultValue = "mercury,kuber,charon",
      paramLabel = "NAME",
      description =
          "production-alone, best-effort-alone, mercury, kuber, charon, charon-no-snapshot, charon-no-delay,"
              + " charon-request, charon-user-space-killer, oracle. Default: ${DEFAULT-VALUE}.")
  private List<String> policies;

  @Option(
      names = "--load",
      split = ",",
      defaultValue = "1",
      paramLabel = "X",
      description =
          "Submit each best-effort job so often, 1 to 100: X1 to X4 of the paper. Default: ${DEFAULT-VALUE}.")
  private List<Integer> loads;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Nodes, 1 to 60000. Default: what the file says, or 20 if embedded.")
  private Integer nodes;

  @Option(
      names = "--seeds",
      defaultValue = "1",
      paramLabel = "K",
      description = "Repeat with seeds 1 to K, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--hours",
      defaultValue = "1",
      paramLabel = "H",
      description = "Length of the embedded workload, 0.1 to 1000. Default: ${DEFAULT-VALUE}.")
  private double hours;

  @Option(
      names = "--kill-delays",
      defaultValue = "measured",
      paramLabel = "PROFILE",
      description =
          "measured, or paper: below 20 ms in the kernel and up to 2.7 s from user space. Default: ${DEFAULT-VALUE}.")
  private String killDelays;

  @Option(
      names = "--kills-as-preemptions",
      description =
          "A kill is no failure of its task, for every policy. The paper counts it as one.")
  private boolean preemptions;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Runs at a time, 1 to 256. Default: one for each processor.")
  private Integer threads;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the result as JSON, too.")
  private Path json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes runs.csv and completion-times.csv into this folder.")
  private Path out;

  @Override
  public Integer call() throws InterruptedException {
    check();
    PrintWriter err = spec.commandLine().getErr();
    if (!VersionInfo.getVersion().startsWith(SUPPORTED_HADOOP)) {
      err.printf(
          "charon: simulations run on Hadoop %s as yet, this is %s; leave out CHARON_HADOOP%n",
          SUPPORTED_HADOOP, VersionInfo.getVersion());
      return 1;
    }
    try (SlsWorkload opened = SlsWorkload.open(workload, nodes, hours, seeds)) {
      err.println(opened.description());
      Experiment experiment = new Experiment(settings(opened.nodes()), opened);
      int parallel = threads != null ? threads : Runtime.getRuntime().availableProcessors();
      return runToTheEnd(experiment, opened, parallel);
    } catch (IOException e) {
      err.println("charon sls run: " + PlainText.escape(String.valueOf(e.getMessage())));
      return 1;
    }
  }

  private int runToTheEnd(Experiment experiment, SlsWorkload opened, int parallel)
      throws IOException, InterruptedException {
    CountDownLatch written = new CountDownLatch(1);
    Thread interrupt =
        new Thread(
            () -> {
              experiment.interrupt();
              try {
                // What ran so far is worth its file.
                written.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    Runtime.getRuntime().addShutdownHook(interrupt);
    try {
      long start = System.nanoTime();
      List<ComparedRun> runs;
      SlsProgress progress =
          SlsProgress.start(
              experiment.progress().values(),
              opened.lastSubmitSeconds(),
              spec.commandLine().getErr());
      try {
        runs = experiment.run(parallel);
      } finally {
        progress.close();
      }
      double wallSeconds = (System.nanoTime() - start) / 1e9;
      SlsResultPrinter printer = new SlsResultPrinter(runs, wallSeconds);
      printer.print(spec.commandLine().getOut());
      if (json != null) {
        new ResultJson().write(json, runs, wallSeconds);
      }
      if (out != null) {
        printer.writeCsv(out);
      }
      return runs.stream().anyMatch(run -> run.run().partial()) ? 1 : 0;
    } finally {
      written.countDown();
      removeHook(interrupt);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending: the hook is what runs.
      return;
    }
  }

  private void check() {
    if (nodes != null) {
      Ranges.require(spec, "--nodes", nodes, 1, MOST_NODES);
    }
    if (threads != null) {
      Ranges.require(spec, "--threads", threads, 1, 256);
    }
    Ranges.require(spec, "--seeds", seeds, 1, MOST_SEEDS);
    Ranges.require(spec, "--hours", hours, 0.1, MOST_HOURS);
    loads.forEach(load -> Ranges.require(spec, "--load", load, 1, MOST_LOAD));
    try {
      policies.forEach(Policy::of);
      profile();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private KillDelay.Profile profile() {
    return switch (killDelays) {
      case "measured" -> KillDelay.Profile.MEASURED;
      case "paper" -> KillDelay.Profile.PAPER;
      default ->
          throw new IllegalArgumentException(
              "--kill-delays must be measured or paper, was " + killDelays);
    };
  }

  private List<RunSettings> settings(int clusterNodes) {
    List<RunSettings> settings = new ArrayList<>();
    for (String policy : policies.stream().distinct().toList()) {
      for (int load : loads.stream().distinct().toList()) {
        for (long seed = 1; seed <= seeds; seed++) {
          settings.add(
              new RunSettings(
                  Policy.of(policy),
                  load,
                  seed,
                  ClusterSettings.paper(clusterNodes).withKillsAsFailures(!preemptions),
                  PolicySettings.defaults(profile()),
                  ThrashModel.measured(),
                  Duration.ofHours(2)));
        }
      }
    }
    return settings;
  }
}
