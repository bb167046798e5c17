/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.cluster.NodeCgroups;
import io.charon.evaluation.killer.BenchProgress;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.killer.WorkingSetFile;
import io.charon.evaluation.machine.BenchMachine;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.ZramSwap;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures what proactive reclaim of production gives best-effort and what it costs production:
 * with the memory limit alone, with reclaim, and with the limit alone again.
 */
public final class ReclaimBench {
  private static final Path PROC = Path.of("/proc");
  private static final int SWAP_MEGABYTES = 512;

  /** Processor weight of the benchmark, in processes: other work on the machine matters little. */
  private static final int WEIGHS_LIKE = 100;

  private final Path root;
  private final PrintWriter out;

  private record Step(ReclaimLoad load, ReclaimApproach approach) {}

  /**
   * Creates the benchmark.
   *
   * @param root the repository
   * @param out receives progress
   */
  public ReclaimBench(Path root, PrintWriter out) {
    this.root = root;
    this.out = out;
  }

  private static List<Step> steps(ReclaimOptions options) {
    List<Step> steps = new ArrayList<>();
    for (int repetition = 0; repetition < options.repetitions(); repetition++) {
      for (ReclaimLoad load : options.loads()) {
        boolean reclaimsFirst = repetition % 2 == 0;
        steps.add(new Step(load, reclaimsFirst ? ReclaimApproach.RECLAIM : ReclaimApproach.LIMIT));
        steps.add(new Step(load, reclaimsFirst ? ReclaimApproach.LIMIT : ReclaimApproach.RECLAIM));
        steps.add(new Step(load, ReclaimApproach.LIMIT_AGAIN));
      }
    }
    return steps;
  }

  /**
   * Runs the benchmark.
   *
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public ReclaimResult run(ReclaimOptions options, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    List<ReclaimCell> cells = new ArrayList<>();
    CgroupVersion version;
    try (Cleanup cleanup = new Cleanup()) {
      NativeTools tools = NativeTools.of(root);
      ClusterLeftovers.removeOfKilled(tools.killer(), progress::print);
      NodeCgroups cgroups = NodeCgroups.require(PROC);
      String path = "/charon-bench-" + ProcessHandle.current().pid();
      cleanup.add(() -> cgroups.remove(path));
      cgroups.setCpuWeight(path, WEIGHS_LIKE);
      version = CgroupLayout.detect(PROC, path).version();
      if (options.loads().contains(ReclaimLoad.ANONYMOUS)) {
        ZramSwap.create(SWAP_MEGABYTES, cleanup);
      }
      ReclaimRun run =
          new ReclaimRun(
              tools,
              path + "/node",
              WorkingSetFile.create(
                  tools, ReclaimLoad.MEGABYTES - ReclaimLoad.USED_MEGABYTES, cleanup),
              WorkingSetFile.create(tools, ReclaimLoad.USED_MEGABYTES, cleanup),
              options);
      List<Step> steps = steps(options);
      for (Step step : steps) {
        if (budget.isExhausted(cells.size())) {
          break;
        }
        cells.add(run.run(step.load(), step.approach()));
        progress.step(cells.size(), steps.size(), step.approach().label());
      }
    }
    return new ReclaimResult(
        options, cells, BenchMachine.ofThis(version, loadAverage), progress.seconds());
  }
}
