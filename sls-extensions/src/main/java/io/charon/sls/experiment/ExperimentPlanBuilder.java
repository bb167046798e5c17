/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.cluster.FullQueues;
import io.charon.sls.cluster.Placement;
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
 * which win. Every method refuses a value outside of its range with an {@link
 * IllegalArgumentException} that says what is allowed; whoever calls adds the name under which the
 * user gave it.
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
  private int queueLimit = ClusterSettings.paper(1).queueLimit();
  private Duration horizon = Duration.ofHours(2);
  private Placement placement = Placement.CENTRAL;
  private FullQueues fullQueues = FullQueues.AVOID;
  private Optional<JobType> bestEffortType = Optional.empty();
  private boolean killsAreFailures = true;
  private KillDelay.Profile killDelays = KillDelay.Profile.MEASURED;

  /** What the experiment is for. */
  public void description(String text) {
    description = text.strip();
  }

  /** A workload file for all seeds or one for each, or {@link ExperimentPlan#EMBEDDED}. */
  public void workloads(List<String> names) {
    if (names.isEmpty()
        || names.stream().anyMatch(String::isBlank)
        || (names.size() > 1 && names.contains(ExperimentPlan.EMBEDDED))) {
      throw new IllegalArgumentException("must be files or " + ExperimentPlan.EMBEDDED);
    }
    workloads = List.copyOf(names);
  }

  /** The command that makes the workload. */
  public void importCommand(String command) {
    importCommand = Optional.of(command.strip());
  }

  /** Length of the embedded workload. */
  public void hours(double value) {
    hours = inRange(value, 0.1, MAX_HOURS);
  }

  /** Production jobs of the embedded workload. */
  public void productionJobs(int value) {
    productionJobs = OptionalInt.of(inRange(value, 0, MAX_JOBS));
  }

  /** Best-effort jobs of the embedded workload. */
  public void bestEffortJobs(int value) {
    bestEffortJobs = OptionalInt.of(inRange(value, 0, MAX_JOBS));
  }

  /** Memory that production of the embedded workload uses of what it asks for. */
  public void productionRatio(double value) {
    productionRatio = OptionalDouble.of(inRange(value, 0.05, 0.95));
  }

  /** Policies by name. */
  public void policies(List<String> names) {
    policies = notEmpty(names.stream().map(Policy::of).distinct().toList());
  }

  /** Loads. */
  public void loads(List<Integer> values) {
    values.forEach(load -> inRange(load, 1, MAX_LOAD));
    loads = notEmpty(values.stream().distinct().toList());
  }

  /** How many seeds; without it as many as workload files. */
  public void seeds(int value) {
    seeds = OptionalInt.of(inRange(value, 1, MAX_SEEDS));
  }

  /** Nodes. */
  public void nodes(int value) {
    nodes = OptionalInt.of(inRange(value, 1, MAX_NODES));
  }

  /** Cores of a node. */
  public void cores(int value) {
    cores = OptionalInt.of(inRange(value, 1, MAX_CORES));
  }

  /** Memory of a node, and its swap. */
  public void memoryGibibytes(int value) {
    memoryGibibytes = OptionalInt.of(inRange(value, 1, MAX_GIBIBYTES));
  }

  /** Best-effort containers that may wait on a node. */
  public void queueLimit(int value) {
    queueLimit = inRange(value, 1, MAX_QUEUE);
  }

  /** How long a run goes on after the last submission. */
  public void horizonHours(double value) {
    horizon = Duration.ofSeconds(Math.round(inRange(value, 0, MAX_HOURS) * SECONDS_PER_HOUR));
  }

  /** Whether a kill counts as a failure of its task. */
  public void killsAreFailures(boolean value) {
    killsAreFailures = value;
  }

  /** Who chooses the nodes of best-effort containers, by name. */
  public void placement(String name) {
    placement = named(Placement.values(), name);
  }

  /** What becomes of a best-effort container when queues are full, by name. */
  public void fullQueues(String name) {
    fullQueues = named(FullQueues.values(), name);
  }

  /** How often tasks of all best-effort jobs may fail, by the name of the type. */
  public void bestEffortType(String name) {
    bestEffortType = Optional.of(named(JobType.values(), name));
  }

  /** The profile of kill delays by name. */
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

  /** The experiment. Without a workload and a command that makes one, it is the embedded one. */
  public ExperimentPlan build() {
    return new ExperimentPlan(
        description,
        workloads.isEmpty() && importCommand.isEmpty()
            ? List.of(ExperimentPlan.EMBEDDED)
            : workloads,
        importCommand,
        new EmbeddedWorkload(hours, productionJobs, bestEffortJobs, productionRatio),
        policies,
        loads,
        seeds.orElse(Math.max(1, workloads.size())),
        nodes,
        cores,
        memoryGibibytes,
        queueLimit,
        horizon,
        placement,
        fullQueues,
        bestEffortType,
        killsAreFailures,
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
