/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import io.charon.evaluation.validation.DemoDocument.Container;
import io.charon.evaluation.validation.DemoDocument.Job;
import io.charon.evaluation.validation.DemoDocument.Machine;
import io.charon.evaluation.validation.DemoDocument.Run;
import io.charon.evaluation.validation.DemoDocument.Workload;
import io.charon.sls.cluster.ClusterNodes;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.cluster.ClusterTiming;
import io.charon.sls.cluster.FullQueues;
import io.charon.sls.cluster.MasterProfile;
import io.charon.sls.cluster.OpportunisticAllocation;
import io.charon.sls.cluster.Placement;
import io.charon.sls.cluster.RetryRules;
import io.charon.sls.node.NodeSize;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.TaskGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The inputs that the simulation takes from the undisturbed part of the demo: production alone, and
 * one best-effort job of each kind alone. No input comes from a mode with best-effort load.
 *
 * @param cluster nodes with an equal share of the machine's processors each, limits,
 *     ApplicationMasters and delays
 * @param production tasks of the production job
 * @param bestEffort tasks of a best-effort job, by its kind
 */
public record SimulationInputs(
    ClusterSettings cluster, List<TaskGroup> production, Map<String, List<TaskGroup>> bestEffort) {
  /** The demo's heartbeat period of nodes and ApplicationMasters. */
  private static final Duration HEARTBEAT = Duration.ofMillis(250);

  /** Mean wait for a heartbeat, which is half of its period, seconds. */
  private static final double BEAT_WAIT = HEARTBEAT.toMillis() / 2000.0;

  private static final double MIN_SECONDS = 0.05;
  private static final long MEBIBYTE = 1 << 20;

  /** Copies the parts. */
  public SimulationInputs {
    production = List.copyOf(production);
    bestEffort = Map.copyOf(bestEffort);
  }

  /** Times of the containers of one job that ran alone, seconds. */
  private record Chain(
      double masterStart,
      double launch,
      double masterEnd,
      double startProcessorSeconds,
      Container master) {
    static Chain of(Run run, Job job) throws IOException {
      List<Container> tasks = run.tasks(job);
      Container master = run.master(job);
      double reduceStart =
          tasks.stream()
              .filter(Container::isReduce)
              .mapToDouble(Container::startSeconds)
              .min()
              .orElseThrow(
                  () -> new IOException("no reduce task of " + job.kind() + " was observed"));
      double mapsEnd =
          tasks.stream()
              .filter(task -> !task.isReduce())
              .mapToDouble(Container::endSeconds)
              .max()
              .orElseThrow(() -> new IOException("no map task of " + job.kind() + " was observed"));
      // The end of the maps waits for a heartbeat of their node and one of the master.
      double launch = Math.max(MIN_SECONDS, reduceStart - mapsEnd - 2 * BEAT_WAIT);
      // So does the master's container. Then the master starts and asks, and its tasks are
      // launched.
      double toFirstTask = tasks.get(0).startSeconds() - job.submittedSeconds();
      return new Chain(
          Math.max(MIN_SECONDS, toFirstTask - 2 * BEAT_WAIT - launch),
          launch,
          Math.max(0, master.endSeconds() - job.finishedSeconds()),
          master.processorSecondsUntil(tasks.get(0).startSeconds()),
          master);
    }

    double startCores() {
      return startProcessorSeconds / masterStart;
    }

    double usedCores() {
      return (master.processorSeconds() - startProcessorSeconds)
          / Math.max(1, master.seconds() - masterStart);
    }
  }

  /**
   * Calibrates the simulation.
   *
   * @throws IOException if a job that ran alone lacks a container; the message names the job
   */
  public static SimulationInputs of(DemoDocument demo) throws IOException {
    Run run = demo.calibrating();
    Workload workload = demo.workload();
    List<Chain> chains = new ArrayList<>();
    Map<String, List<TaskGroup>> bestEffort = new LinkedHashMap<>();
    for (Job job : run.calibration()) {
      chains.add(Chain.of(run, job));
      bestEffort.put(job.kind(), tasks(run, job, workload.bestEffortTaskMb()));
    }
    return new SimulationInputs(
        cluster(workload, run.machine().processors(), chains),
        tasks(run, run.production(), workload.productionTaskMb()),
        bestEffort);
  }

  /**
   * Returns the cluster as it was during a run. The processor time that other processes used or
   * that the hypervisor did not provide was not available to its containers; this is measured, not
   * predicted.
   */
  ClusterSettings during(Run run) {
    Machine machine = run.machine();
    double others = machine.busySeconds() + machine.stolenSeconds() - machine.containersSeconds();
    double cores = machine.processors() - others / machine.seconds();
    ClusterNodes nodes = cluster.nodes();
    return cluster.with(
        new ClusterNodes(
            nodes.count(),
            new NodeSize(nodes.size().memoryBytes(), cores, nodes.size().swapBytes()),
            nodes.sharedProcessors(),
            nodes.queueLimit()));
  }

  private static ClusterSettings cluster(Workload workload, double cores, List<Chain> chains) {
    return new ClusterSettings(
        // The demo's nodes share one machine and have no swap.
        new ClusterNodes(
            workload.nodes(),
            new NodeSize(workload.nodeMemoryMb() * MEBIBYTE, cores, 0),
            true,
            workload.queueLimit()),
        new MasterProfile(
            workload.bestEffortMasterMb() * MEBIBYTE,
            Math.round(mean(chains, chain -> meanBytes(chain.master()))),
            seconds(mean(chains, Chain::masterStart)),
            mean(chains, Chain::startCores),
            mean(chains, Chain::usedCores),
            seconds(
                mean(
                    chains.stream().filter(chain -> chain.master().ended()).toList(),
                    Chain::masterEnd))),
        workload.parallelBestEffortJobs(),
        new ClusterTiming(HEARTBEAT, seconds(mean(chains, Chain::launch))),
        // The demo's input is on local disks without a known host, so its maps ask for the rack.
        new OpportunisticAllocation(Placement.CENTRAL, FullQueues.AVOID, true),
        // MapReduce counts a kill for memory as a killed attempt, not as a failed one.
        RetryRules.KILLS_ARE_FREE);
  }

  /**
   * Returns each task as it ran alone, in the order of their start, with reduces in a second stage.
   */
  private static List<TaskGroup> tasks(Run run, Job job, int requestedMb) throws IOException {
    List<TaskGroup> groups = new ArrayList<>();
    for (Container task : run.tasks(job)) {
      if (!(task.seconds() > 0)) {
        throw new IOException("a task of " + job.kind() + " ended before it started");
      }
      groups.add(
          new TaskGroup(
              1,
              requestedMb * MEBIBYTE,
              1,
              task.processorSeconds() / task.seconds(),
              Math.max(1, Math.round(task.seconds() * 1000)),
              memory(task),
              task.isReduce() ? 1 : 0));
    }
    return groups;
  }

  private static MemoryCurve memory(Container task) {
    List<MemoryCurve.Point> points = new ArrayList<>();
    points.add(new MemoryCurve.Point(0, 0, 0));
    double last = 0;
    for (double[] point : task.points()) {
      double progress = (point[0] - task.startSeconds()) / task.seconds();
      if (progress > last && progress <= 1) {
        points.add(new MemoryCurve.Point(progress, Math.round(point[1] * MEBIBYTE), 0));
        last = progress;
      }
    }
    return new MemoryCurve(points);
  }

  private static double meanBytes(Container container) {
    return container.points().stream().mapToDouble(point -> point[1]).average().orElse(0)
        * MEBIBYTE;
  }

  private static double mean(List<Chain> chains, ToDoubleFunction<Chain> value) {
    return chains.stream().mapToDouble(value).average().orElse(0);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
