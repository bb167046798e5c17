/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.cluster.NodeCgroups;
import io.charon.evaluation.killer.BenchProgress;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.machine.BenchMachine;
import io.charon.evaluation.machine.Cleanup;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.sensor.PoolSensor;
import io.charon.sls.burst.QuotaVariant;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Measures the delay that CPU quotas cause for the bursts of applications that share the
 * processors. Every variant runs the same bursts in the same cgroups. Each repetition begins with a
 * different variant, so that slow changes of the machine affect all alike, and measures one variant
 * twice.
 */
public final class BurstBench {
  private static final Path PROC = Path.of("/proc");
  private static final Path SYS = Path.of("/sys");
  private static final int CPU_WEIGHT_PROCESSES = 100;

  /**
   * Time from sending the orders to the start, so that every application has received its order.
   */
  private static final long START_DELAY_NANOS = 300_000_000;

  /**
   * Distance between the seeds of two repetitions, so that no two applications get the same bursts.
   */
  private static final long SEEDS_OF_A_REPETITION = 1_000_000;

  private record Step(double load, int repetition, QuotaVariant variant, boolean again) {}

  private final PrintWriter out;

  /** Creates a benchmark that writes its progress to {@code out}. */
  public BurstBench(PrintWriter out) {
    this.out = out;
  }

  /** Returns the variants that unmodified Linux supports; it rejects a burst of ten quotas. */
  static List<QuotaVariant> variants() {
    return List.of(
        QuotaVariant.NONE,
        QuotaVariant.USUAL,
        QuotaVariant.HALF_SECOND,
        QuotaVariant.SECOND,
        QuotaVariant.SHARED_POOL,
        QuotaVariant.UNLIMITED);
  }

  private static List<Step> steps(BurstOptions options) {
    List<Step> steps = new ArrayList<>();
    for (int repetition = 0; repetition < options.repetitions(); repetition++) {
      for (double load : options.loads()) {
        for (int i = 0; i < variants().size(); i++) {
          int turn = Math.floorMod(options.seed() + repetition + i, variants().size());
          QuotaVariant variant = variants().get(turn);
          steps.add(new Step(load, repetition, variant, false));
        }
        steps.add(new Step(load, repetition, QuotaVariant.NONE, true));
      }
    }
    return steps;
  }

  /**
   * Runs all measurements, or as many as the budget allows.
   *
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public BurstResult run(BurstOptions options, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    int processors = Runtime.getRuntime().availableProcessors();
    ClusterLeftovers.removeOfKilled(progress::print);
    try (Cleanup cleanup = new Cleanup()) {
      String path = "/charon-bench-" + ProcessHandle.current().pid();
      CgroupLayout layout = CgroupLayout.detect(PROC, path);
      CgroupHierarchy cpu =
          layout
              .hierarchy(CgroupController.CPU)
              .orElseThrow(
                  () -> new IOException("no cpu controller is mounted; see charon doctor"));
      NodeCgroups cgroups = NodeCgroups.require(PROC);
      cleanup.add(() -> cgroups.remove(path));
      CgroupWriter writer = new CgroupWriter(layout, Optional.empty());
      writer.prepareNode();
      // A high weight reduces the effect of other work on the machine, which is not measured here.
      cgroups.setCpuWeight(path, CPU_WEIGHT_PROCESSES);
      Bandwidth share = options.share(processors);
      List<BurstApplication> applications = start(options, layout, cpu, writer, cleanup);
      List<BurstCell> cells = new ArrayList<>();
      try (PoolSensor sensor = new PoolSensor(layout, cpu, PROC, SYS)) {
        List<Step> steps = steps(options);
        for (Step step : steps) {
          if (budget.isExhausted(cells.size())) {
            break;
          }
          cells.add(measure(step, options, share, processors, applications, layout, sensor));
          progress.step(cells.size(), steps.size(), cells.get(cells.size() - 1).label());
        }
      }
      return new BurstResult(
          options,
          cells,
          share,
          BenchMachine.ofThis(cpu.version(), loadAverage),
          progress.seconds());
    }
  }

  private static List<BurstApplication> start(
      BurstOptions options,
      CgroupLayout layout,
      CgroupHierarchy cpu,
      CgroupWriter writer,
      Cleanup cleanup)
      throws IOException {
    List<BurstApplication> applications = new ArrayList<>();
    List<List<Path>> joins = new ArrayList<>();
    for (int i = 0; i < options.applications(); i++) {
      String id = "application_" + i;
      joins.add(writer.createContainer(id, ContainerClass.PRODUCTION, OptionalInt.empty()));
      BurstApplication application =
          new BurstApplication(
              id, layout.containerDirectory(cpu, ContainerClass.PRODUCTION, id), cpu.version());
      cleanup.add(application::stop);
      applications.add(application);
    }
    for (int i = 0; i < applications.size(); i++) {
      applications.get(i).enter(joins.get(i));
    }
    return applications;
  }

  private static BurstCell measure(
      Step step,
      BurstOptions options,
      Bandwidth share,
      int processors,
      List<BurstApplication> applications,
      CgroupLayout layout,
      PoolSensor sensor)
      throws IOException, InterruptedException {
    for (BurstApplication application : applications) {
      application.setQuota(step.variant().of(share));
    }
    boolean pool = step.variant().followsPool();
    long fromNanos =
        TimeUnit.SECONDS.toNanos(pool ? options.poolRunInSeconds() : options.runInSeconds());
    long untilNanos = fromNanos + TimeUnit.SECONDS.toNanos(options.seconds());
    long startNanos = System.nanoTime() + START_DELAY_NANOS;
    order(step, options, share, applications, startNanos, fromNanos, untilNanos);
    Map<String, Integer> vcores =
        applications.stream().collect(Collectors.toMap(BurstApplication::id, unused -> 1));
    PoolWatch watch = new PoolWatch(sensor, vcores.keySet());
    double quotas = share.cores() * applications.size();
    try (PoolAgent agent =
        pool ? new PoolAgent(layout, vcores, options.poolHigh() * quotas / processors) : null) {
      watch.watch(startNanos + fromNanos, startNanos + untilNanos, Optional.ofNullable(agent));
    }
    List<List<Double>> late = new ArrayList<>();
    for (BurstApplication application : applications) {
      late.add(application.awaitDelays());
    }
    return new BurstCell(
        step.load(),
        step.variant(),
        step.again(),
        late,
        watch.meanCores() / quotas,
        watch.highestCores() / quotas,
        watch.throttledApplications(),
        watch.throttledPeriods());
  }

  private static void order(
      Step step,
      BurstOptions options,
      Bandwidth share,
      List<BurstApplication> applications,
      long startNanos,
      long fromNanos,
      long untilNanos)
      throws IOException {
    List<Double> means = options.means(step.load(), share, step.repetition());
    double work = BurstOptions.meanWorkNanos(share);
    for (int i = 0; i < applications.size(); i++) {
      applications
          .get(i)
          .send(
              new BurstWorker.Order(
                  SEEDS_OF_A_REPETITION * (options.seed() + step.repetition()) + i,
                  Math.round(work / means.get(i)),
                  Math.round(work),
                  startNanos,
                  fromNanos,
                  untilNanos));
    }
  }
}
