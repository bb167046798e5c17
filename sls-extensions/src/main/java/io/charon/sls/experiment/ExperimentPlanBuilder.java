/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.cluster.FullQueues;
import io.charon.sls.cluster.OpportunisticAllocation;
import io.charon.sls.cluster.Placement;
import io.charon.sls.cluster.RetryRules;
import io.charon.sls.experiment.ExperimentPlan.RunGrid;
import io.charon.sls.node.KillDelay;
import io.charon.sls.policy.Policy;
import io.charon.sls.workload.JobType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Collects the settings of an experiment: first those of a file, then those of the command line,
 * which take precedence. Every method rejects a value outside its range with an {@link
 * IllegalArgumentException} that names the allowed values; the caller adds the name of the setting.
 */
public final class ExperimentPlanBuilder {
  private static final int MAX_NODES = 60_000;
  private static final int MAX_CORES = 1 << 16;
  private static final int MAX_GIBIBYTES = 1 << 20;
  private static final int MAX_QUEUE = 100_000;
  private static final int MAX_LOAD = 100;
  private static final int MAX_SEEDS = 1000;
  private static final int MAX_JOBS = 10_000_000;
  private static final double MAX_HOURS = 1000;
  private static final double SECONDS_PER_HOUR = 3600;

  private String description = "";
  private List<String> workloads = List.of();
  private Optional<String> importCommand = Optional.empty();
  private double hours = 1;
  private OptionalInt productionJobs = OptionalInt.empty();
  private OptionalInt bestEffortJobs = OptionalInt.empty();
  private OptionalDouble productionRatio = OptionalDouble.empty();
  private List<Policy> policies = List.of(Policy.STOCK_YARN, Policy.THRESHOLD, Policy.CHARON);
  private List<Integer> loads = List.of(1);
  private OptionalInt seeds = OptionalInt.empty();
  private OptionalInt nodes = OptionalInt.empty();
  private OptionalInt cores = OptionalInt.empty();
  private OptionalInt memoryGibibytes = OptionalInt.empty();
  private int queueLimit = ClusterSettings.paper(1).nodes().queueLimit();
  private Duration horizon = Duration.ofHours(2);
  private Placement placement = Placement.CENTRAL;
  private FullQueues fullQueues = FullQueues.AVOID;
  private Optional<JobType> bestEffortType = Optional.empty();
  private boolean killsAreFailures = true;
  private KillDelay.Profile killDelays = KillDelay.Profile.MEASURED;

  /** Sets the purpose of the experiment. */
  public void description(String text) {
    description = text.strip();
  }

  /** Sets one workload file for all seeds or one for each, or {@link PlannedWorkload#EMBEDDED}. */
  public void workloads(List<String> names) {
    if (names.isEmpty()
        || names.stream().anyMatch(String::isBlank)
        || (names.size() > 1 && names.contains(PlannedWorkload.EMBEDDED))) {
      throw new IllegalArgumentException("must be files or " + PlannedWorkload.EMBEDDED);
    }
    workloads = List.copyOf(names);
  }

  /** Sets the command that creates the workload. */
  public void importCommand(String command) {
    importCommand = Optional.of(command.strip());
  }

  /** Sets the length of the embedded workload, in hours. */
  public void hours(double value) {
    hours = inRange(value, 0.1, MAX_HOURS);
  }

  /** Sets the number of production jobs of the embedded workload. */
  public void productionJobs(int value) {
    productionJobs = OptionalInt.of(inRange(value, 0, MAX_JOBS));
  }

  /** Sets the number of best-effort jobs of the embedded workload. */
  public void bestEffortJobs(int value) {
    bestEffortJobs = OptionalInt.of(inRange(value, 0, MAX_JOBS));
  }

  /** Sets the used over requested memory of production in the embedded workload. */
  public void productionRatio(double value) {
    productionRatio = OptionalDouble.of(inRange(value, 0.05, 0.95));
  }

  /** Sets the policies by name. */
  public void policies(List<String> names) {
    policies = notEmpty(names.stream().map(Policy::of).distinct().toList());
  }

  /** Sets the loads. */
  public void loads(List<Integer> values) {
    values.forEach(load -> inRange(load, 1, MAX_LOAD));
    loads = notEmpty(values.stream().distinct().toList());
  }

  /** Sets the number of seeds; the default is the number of workload files. */
  public void seeds(int value) {
    seeds = OptionalInt.of(inRange(value, 1, MAX_SEEDS));
  }

  /** Sets the number of nodes. */
  public void nodes(int value) {
    nodes = OptionalInt.of(inRange(value, 1, MAX_NODES));
  }

  /** Sets the cores of a node. */
  public void cores(int value) {
    cores = OptionalInt.of(inRange(value, 1, MAX_CORES));
  }

  /** Sets the memory of a node, and the same amount of swap. */
  public void memoryGibibytes(int value) {
    memoryGibibytes = OptionalInt.of(inRange(value, 1, MAX_GIBIBYTES));
  }

  /** Sets the number of best-effort containers that may wait on a node. */
  public void queueLimit(int value) {
    queueLimit = inRange(value, 1, MAX_QUEUE);
  }

  /** Sets the longest time that a run continues after the last submission, in hours. */
  public void horizonHours(double value) {
    horizon = Duration.ofSeconds(Math.round(inRange(value, 0, MAX_HOURS) * SECONDS_PER_HOUR));
  }

  /** Sets whether a kill counts as a failure of its task. */
  public void killsAreFailures(boolean value) {
    killsAreFailures = value;
  }

  /** Sets by name how the nodes of best-effort containers are chosen. */
  public void placement(String name) {
    placement = named(Placement.values(), name);
  }

  /** Sets by name how a best-effort container is handled when queues are full. */
  public void fullQueues(String name) {
    fullQueues = named(FullQueues.values(), name);
  }

  /**
   * Sets by name the type of all best-effort jobs, which determines how often their tasks may fail.
   */
  public void bestEffortType(String name) {
    bestEffortType = Optional.of(named(JobType.values(), name));
  }

  /** Sets the profile of kill delays by name. */
  public void killDelays(String name) {
    killDelays = named(KillDelay.Profile.values(), name);
  }

  private static <T extends Enum<T>> T named(T[] values, String name) {
    return Arrays.stream(values)
        .filter(value -> nameOf(value).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "must be "
                        + Arrays.stream(values)
                            .map(ExperimentPlanBuilder::nameOf)
                            .collect(Collectors.joining(" or "))
                        + ", was "
                        + name));
  }

  /**
   * Returns the experiment. Without a workload and a command that creates one, it uses the embedded
   * workload.
   */
  public ExperimentPlan build() {
    return new ExperimentPlan(
        description,
        new PlannedWorkload(
            workloads.isEmpty() && importCommand.isEmpty()
                ? List.of(PlannedWorkload.EMBEDDED)
                : workloads,
            importCommand,
            new EmbeddedWorkload(hours, productionJobs, bestEffortJobs, productionRatio)),
        new RunGrid(policies, loads, seeds.orElse(Math.max(1, workloads.size()))),
        new PlannedNodes(nodes, cores, memoryGibibytes, queueLimit),
        horizon,
        new OpportunisticAllocation(placement, fullQueues, false),
        new RetryRules(bestEffortType, killsAreFailures),
        killDelays);
  }

  private static String nameOf(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static int inRange(int value, int smallest, int largest) {
    if (value < smallest || value > largest) {
      throw new IllegalArgumentException(
          "must be %d to %d, was %d".formatted(smallest, largest, value));
    }
    return value;
  }

  private static double inRange(double value, double smallest, double largest) {
    if (!(value >= smallest && value <= largest)) {
      throw new IllegalArgumentException(
          "must be " + smallest + " to " + largest + ", was " + value);
    }
    return value;
  }

  private static <T> List<T> notEmpty(List<T> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("must hold at least one");
    }
    return values;
  }
}
