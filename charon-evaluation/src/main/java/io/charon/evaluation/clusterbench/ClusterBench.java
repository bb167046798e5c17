/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.NodeCgroups;
import io.charon.evaluation.demo.PreparedInput;
import io.charon.evaluation.killer.BenchProgress;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.Setting;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.evaluation.machine.ZramSwap;
import io.charon.evaluation.postgres.PostgresDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Measures the cost of best-effort jobs for production on a real cluster, and the work that they
 * complete: with stock YARN, with a threshold policy and with Charon, compared with two runs of
 * production alone.
 */
public final class ClusterBench {
  /**
   * Size of the compressed swap of all nodes in all modes, as an operator would configure it, MiB.
   */
  private static final int SWAP_MB = 8192;

  private final Path root;
  private final Installation installation;
  private final PrintWriter out;

  /**
   * Creates the benchmark.
   *
   * @param root the repository
   * @param installation location of the jars
   * @param out receives progress
   */
  public ClusterBench(Path root, Installation installation, PrintWriter out) {
    this.root = root;
    this.installation = installation;
    this.out = out;
  }

  /**
   * Measures the runs that were not measured before.
   *
   * @param kept file that keeps each run, so that another call can continue; empty: none
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public ClusterResult run(ClusterOptions options, Optional<Path> kept, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    Set<String> remarks = new LinkedHashSet<>();
    List<PlannedRun> runs = RunOrder.of(options);
    try (Cleanup cleanup = new Cleanup()) {
      RunStore store = RunStore.open(kept, options, setting(remarks, cleanup));
      List<PlannedRun> missing = runs.stream().filter(run -> store.of(run).isEmpty()).toList();
      if (!missing.isEmpty()) {
        ClusterRun run = new ClusterRun(machine(options, progress, cleanup), options, progress);
        for (int done = 0; done < missing.size() && !budget.isExhausted(done); done++) {
          PlannedRun planned = missing.get(done);
          progress.print(
              String.format(
                  Locale.ROOT,
                  "%4.0f s  run %d of %d: %s",
                  progress.seconds(),
                  runs.size() - missing.size() + done + 1,
                  runs.size(),
                  planned.title()));
          ClusterRunMeasurement measurement = run.run(planned);
          store.add(measurement);
          progress.print("        " + describe(measurement));
        }
      }
      remarks.addAll(store.earlierFailures(runs));
      return new ClusterResult(
          options,
          runs.stream().flatMap(planned -> store.of(planned).stream()).toList(),
          List.copyOf(remarks),
          installation.hadoopVersion(),
          System.getProperty("os.version"),
          Runtime.getRuntime().availableProcessors(),
          progress.seconds());
    }
  }

  /** Creates the swap of all runs, and returns what distinguishes this machine and its set-up. */
  private Setting setting(Set<String> remarks, Cleanup cleanup)
      throws IOException, InterruptedException {
    Setting machine = Setting.ofThisMachine(NodeCgroups.require(Path.of("/proc")).version());
    boolean swap = createSwap(remarks, cleanup);
    boolean killer = KernelProtection.canLoad(root, name(), false);
    return machine.with(
        "Hadoop " + installation.hadoopVersion(),
        swap ? "with swap" : "without swap",
        killer ? "with the kernel UA killer" : "without the kernel UA killer");
  }

  private static boolean createSwap(Set<String> remarks, Cleanup cleanup)
      throws InterruptedException {
    try {
      ZramSwap.create(SWAP_MB, cleanup);
      return true;
    } catch (IOException e) {
      remarks.add("No swap in any mode: " + e.getMessage());
      return false;
    }
  }

  /** Returns the name of this benchmark's cgroup and killer. */
  static String name() {
    return "charon-bench-" + ProcessHandle.current().pid();
  }

  private ClusterRun.Machine machine(
      ClusterOptions options, BenchProgress progress, Cleanup cleanup)
      throws IOException, InterruptedException {
    String cgroupRoot = "/" + name();
    requireCgroups(cgroupRoot);
    Path input = TemporaryDirectory.create("charon-input-", cleanup);
    PreparedInput prepared =
        PreparedInput.prepare(
            installation.inputSources(),
            root,
            input.resolve("parts"),
            ClusterPlan.INPUT_PARTS * ClusterPlan.INPUT_PART_MB);
    Optional<PostgresDatabase> database = Optional.empty();
    if (options.productions().contains(ProductionKind.SERVICE)) {
      progress.print("Creating the database of the service");
      database = Optional.of(PostgresDatabase.create(ServiceRun.SIZE, cleanup));
    }
    return new ClusterRun.Machine(root, installation, cgroupRoot, prepared, database);
  }

  private static void requireCgroups(String cgroupRoot) throws IOException {
    NodeCgroups cgroups =
        NodeCgroups.find(Path.of("/proc"))
            .orElseThrow(
                () ->
                    new IOException(
                        "the cgroup controllers memory and cpu are not mounted; see charon doctor"));
    try {
      cgroups.create(cgroupRoot + "/probe", (long) ClusterPlan.NODE_MEMORY_MB << 20);
    } catch (IOException e) {
      throw new IOException("cannot create memory cgroups (" + e + "); run as root", e);
    } finally {
      cgroups.remove(cgroupRoot);
    }
  }

  private static String describe(ClusterRunMeasurement run) {
    BestEffortMeasurement bestEffort = run.bestEffort();
    return String.format(
        Locale.ROOT,
        "production %s; best-effort %d of %d completed, %d tasks, %d killed, %d refused, %d attempts"
            + " failed, %.0f s lost; memory %.2f, processors %.2f, of containers %.2f; killer %s%s",
        run.service()
            .map(
                service ->
                    String.format(
                        Locale.ROOT,
                        "%.0f/s p50 %.2f ms p99 %.2f ms",
                        service.transactionsPerSecond(),
                        service.percentileMillis(50),
                        service.percentileMillis(99)))
            .orElseGet(
                () ->
                    String.format(
                        Locale.ROOT,
                        "p50 %.2f s p90 %.2f s (n=%d), job %.1f s",
                        run.productionPercentile(50),
                        run.productionPercentile(90),
                        run.productionSeconds().size(),
                        run.productionJobSeconds())),
        bestEffort.outcome().completionSeconds().size(),
        bestEffort.submitted(),
        bestEffort.outcome().tasks(),
        bestEffort.kills(),
        bestEffort.refused(),
        bestEffort.outcome().failedAttempts(),
        bestEffort.outcome().lostWorkSeconds(),
        run.nodes().memoryUtilization(),
        run.nodes().processors(),
        run.nodes().containerProcessors(),
        run.nodes().killer(),
        run.problems().isEmpty() ? "" : "; PROBLEMS: " + String.join("; ", run.problems()));
  }
}
