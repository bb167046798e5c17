/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.experiment.ExperimentPlanBuilder;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of an experiment; each given option overrides the experiment file. */
final class ExperimentOptions {
  @Option(
      names = "--workload",
      split = ",",
      paramLabel = "FILE",
      description =
          "A file of charon sls generate or import for all seeds, or one file for each seed, "
              + "in the order of the seeds; or \"embedded\": a workload generated for these nodes, "
              + "anew for each seed. Default: embedded.")
  private List<String> workloads;

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      description =
          "production-alone, best-effort-alone, stock-yarn, threshold, threshold-fair, threshold-limit,"
              + " charon, charon-drop-in, charon-any-processors, charon-evict-line, charon-evict-satisfaction, charon-memory-reserve, charon-water-line, charon-no-limit, charon-no-cgroups, charon-growth, charon-peaks, charon-fair,"
              + " charon-no-names, charon-start-limit,"
              + " charon-no-snapshot, charon-no-delay, charon-no-snapshot-no-delay, charon-profiled, charon-request, charon-user-space-killer, oracle. Default: stock-yarn,threshold,charon.")
  private List<String> policies;

  @Option(
      names = "--load",
      split = ",",
      paramLabel = "X",
      description =
          "Number of times that each best-effort job is submitted, 1 to 100: X1 to X4 of the "
              + "paper. Default: 1.")
  private List<Integer> loads;

  @Option(
      names = "--seeds",
      paramLabel = "K",
      description = "Repeat with seeds 1 to K, 1 to 1000. Default: one for each workload file.")
  private Integer seeds;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "Number of nodes, 1 to 60000. Default: the number that the workload was made for, "
              + "or 20 if embedded.")
  private Integer nodes;

  @Option(
      names = "--node-cores",
      paramLabel = "N",
      description =
          "Cores of a node, 1 to 65536. Default: the number that the workload was made for, "
              + "or 32 if embedded.")
  private Integer cores;

  @Option(
      names = "--node-memory-gb",
      paramLabel = "GB",
      description =
          "Memory of a node, and as much swap, 1 to 1048576 GiB. Default: the size that the "
              + "workload was made for, or 128 if embedded.")
  private Integer gibibytes;

  @Option(
      names = "--queue-limit",
      paramLabel = "N",
      description = "Best-effort containers that may wait on a node, 1 to 100000. Default: 10.")
  private Integer queueLimit;

  @Option(
      names = "--placement",
      paramLabel = "WHO",
      description =
          "central: the ResourceManager places best-effort containers; distributed: the node "
              + "of each ApplicationMaster places them, by the list of nodes that it got at its "
              + "last heartbeat. Default: central.")
  private String placement;

  @Option(
      names = "--full-queues",
      paramLabel = "HOW",
      description =
          "avoid: a container waits at the ResourceManager while all queues are full, as in "
              + "YARN's allocator; reject: it is sent to a full queue and fails there, as the "
              + "paper counts. Default: avoid.")
  private String fullQueues;

  @Option(
      names = "--best-effort-type",
      paramLabel = "TYPE",
      description =
          "mapreduce or sql: a task of a best-effort job may fail 40 times or twice. "
              + "Default: the workload's own type; mapreduce if it was drawn from a trace.")
  private String bestEffortType;

  @Option(
      names = "--horizon-hours",
      paramLabel = "H",
      description =
          "Longest time that a run continues after the last submission, 0 to 1000; a job "
              + "that is not complete then is unfinished. Default: 2.")
  private Double horizonHours;

  @Option(
      names = "--kill-delays",
      paramLabel = "PROFILE",
      description =
          "Time that a kill takes. measured, or paper: below 20 ms in the kernel and up to "
              + "2.7 s from user space. Default: measured.")
  private String killDelays;

  @Option(
      names = "--kills-as-preemptions",
      negatable = true,
      description =
          "A kill does not count as a failure of its task, for every policy. The paper "
              + "counts it as one.")
  private Boolean preemptions;

  @Option(
      names = "--hours",
      paramLabel = "H",
      description = "Length of the embedded workload, 0.1 to 1000. Default: 1.")
  private Double hours;

  @Option(
      names = "--production-jobs",
      paramLabel = "N",
      description =
          "Production jobs of the embedded workload, 0 to 10000000. Default: as many for each node and hour as in the"
              + " paper, 754 for 100 nodes in 7 hours.")
  private Integer productionJobs;

  @Option(
      names = "--best-effort-jobs",
      paramLabel = "N",
      description =
          "Best-effort jobs of the embedded workload, 0 to 10000000. Default: as in the "
              + "paper, 3074 for 100 nodes in 7 hours.")
  private Integer bestEffortJobs;

  @Option(
      names = "--production-ratio",
      paramLabel = "R",
      description =
          "Share of its request that production of the embedded workload uses, 0.05 to 0.95. "
              + "Without this option all tasks are calibrated alike.")
  private Double productionRatio;

  /**
   * Applies the options that were given.
   *
   * @throws ParameterException if a value is out of its range
   */
  void apply(CommandSpec spec, ExperimentPlanBuilder plan) {
    set(spec, "--workload", workloads, plan::workloads);
    set(spec, "--policy", policies, plan::policies);
    set(spec, "--load", loads, plan::loads);
    set(spec, "--seeds", seeds, plan::seeds);
    set(spec, "--nodes", nodes, plan::nodes);
    set(spec, "--node-cores", cores, plan::cores);
    set(spec, "--node-memory-gb", gibibytes, plan::memoryGibibytes);
    set(spec, "--queue-limit", queueLimit, plan::queueLimit);
    set(spec, "--placement", placement, plan::placement);
    set(spec, "--full-queues", fullQueues, plan::fullQueues);
    set(spec, "--best-effort-type", bestEffortType, plan::bestEffortType);
    set(spec, "--horizon-hours", horizonHours, plan::horizonHours);
    set(spec, "--kill-delays", killDelays, plan::killDelays);
    set(spec, "--kills-as-preemptions", preemptions, yes -> plan.killsAreFailures(!yes));
    set(spec, "--hours", hours, plan::hours);
    set(spec, "--production-jobs", productionJobs, plan::productionJobs);
    set(spec, "--best-effort-jobs", bestEffortJobs, plan::bestEffortJobs);
    set(spec, "--production-ratio", productionRatio, plan::productionRatio);
  }

  private static <T> void set(CommandSpec spec, String option, T value, Consumer<T> setting) {
    if (value == null) {
      return;
    }
    try {
      setting.accept(value);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + " " + e.getMessage(), e);
    }
  }
}
