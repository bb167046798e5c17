/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.NodeCgroups;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileUtil;

/** The demo: prepares the input, runs every mode, reports. */
public final class Demo {
  private final Installation installation;
  private final Path root;
  private final PrintWriter out;
  private final boolean terminal;

  /**
   * Creates the demo.
   *
   * @param root the repository, where the kernel UA killer is built
   * @param out where progress and result are printed
   * @param terminal whether {@code out} is a terminal, on which a line can be redrawn
   */
  public Demo(Installation installation, Path root, PrintWriter out, boolean terminal) {
    this.installation = installation;
    this.root = root;
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * Runs the demo.
   *
   * @return whether every check held
   * @throws IllegalArgumentException if the options do not fit together
   * @throws IOException if a cluster does not start, a daemon dies or a file cannot be written
   */
  public boolean run(DemoOptions options) throws IOException, InterruptedException {
    long start = System.nanoTime();
    WorkloadPlan plan =
        WorkloadPlan.of(options.nodeMemoryMb(), options.window(), options.outgrowing());
    Path inputDirectory = Files.createTempDirectory("charon-input-");
    Runnable removal = () -> FileUtil.fullyDelete(inputDirectory.toFile());
    Thread cleanup = new Thread(removal, "charon-demo-cleanup");
    Runtime.getRuntime().addShutdownHook(cleanup);
    try {
      Progress progress = new Progress(out, terminal);
      Optional<String> cgroupRoot = cgroupRoot(plan, progress);
      DemoInput input =
          DemoInput.prepare(
              options.input().orElse(installation.inputSources()),
              inputDirectory,
              options.inputMb());
      explain(plan, options, progress);
      ModeRun run =
          new ModeRun(installation, plan, input, cgroupRoot, root, progress, options.calibrates());
      Map<DemoMode, ModeSummary> modes = runAll(options, run, progress);
      DemoResult result =
          new DemoResult(
              modes,
              plan,
              options.repeat(),
              Checks.of(modes, plan),
              installation.hadoopVersion(),
              (System.nanoTime() - start) / 1e9);
      report(result, options);
      return result.ok();
    } finally {
      removal.run();
      Runtime.getRuntime().removeShutdownHook(cleanup);
    }
  }

  /** Rounds of all modes, so that what drifts on the machine meets every mode alike. */
  private static Map<DemoMode, ModeSummary> runAll(
      DemoOptions options, ModeRun run, Progress progress)
      throws IOException, InterruptedException {
    Map<DemoMode, List<RunResult>> results = new EnumMap<>(DemoMode.class);
    for (int round = 1; round <= options.repeat(); round++) {
      for (DemoMode mode : options.modes()) {
        progress.say(
            mode.label()
                + (options.repeat() > 1 ? ", round " + round + " of " + options.repeat() : "")
                + ": starting one ResourceManager and two NodeManagers");
        RunResult result = run.run(mode);
        progress.say(
            String.format(
                java.util.Locale.ROOT,
                "%s: %d of %d best-effort jobs completed, production took %.1f s",
                mode.label(),
                result.count(JobOutcome.State.COMPLETED),
                result.jobs().size(),
                result.productionSeconds()));
        results.computeIfAbsent(mode, unused -> new ArrayList<>()).add(result);
      }
    }
    Map<DemoMode, ModeSummary> summaries = new LinkedHashMap<>();
    options.modes().forEach(mode -> summaries.put(mode, new ModeSummary(mode, results.get(mode))));
    return summaries;
  }

  private void report(DemoResult result, DemoOptions options) throws IOException {
    out.println();
    DemoReport.lines(result).forEach(out::println);
    RegulatorReport.lines(result).forEach(out::println);
    Path picture = options.output().resolve("memory.svg");
    DemoChart.write(result, picture);
    out.println();
    out.println("Picture: " + picture.toAbsolutePath());
    if (options.json().isPresent()) {
      new DemoJson().write(result, options.json().get());
      out.println("JSON:    " + options.json().get().toAbsolutePath());
    }
    out.flush();
  }

  private static void explain(WorkloadPlan plan, DemoOptions options, Progress progress) {
    progress.say(
        plan.nodes()
            + " nodes of "
            + plan.nodeMemoryMb()
            + " MiB; their NodeManagers offer 90 %, "
            + plan.clusterMb()
            + " MiB together.");
    progress.say(
        String.format(
            java.util.Locale.ROOT,
            "Production reserves %d MiB (%.0f %%): an ApplicationMaster and %d tasks of %d MiB.",
            plan.productionReservedMb(),
            plan.productionReservedFraction() * 100,
            plan.nodes(),
            plan.productionTaskMb()));
    progress.say(
        String.format(
            java.util.Locale.ROOT,
            "Best-effort jobs share the other %d MiB: up to %d ApplicationMasters of %d MiB at a time,"
                + " tasks request %d MiB each.",
            plan.clusterMb() - plan.productionReservedMb(),
            WorkloadPlan.PARALLEL_BEST_EFFORT_JOBS,
            WorkloadPlan.BEST_EFFORT_MASTER_MB,
            plan.bestEffortTaskMb()));
    if (plan.outgrowing()) {
      progress.say(
          String.format(
              java.util.Locale.ROOT,
              "One more best-effort job asks for %d MiB and takes %d MiB, after %d s.",
              plan.outgrowingTaskMb(),
              plan.nodeMemoryMb(),
              plan.outgrowingAt().toSeconds()));
    }
    progress.say(
        String.format(
            java.util.Locale.ROOT,
            "Input: %d MB of text. Between two batches, production waits %d ms for the next to arrive;"
                + " a best-effort task reads at most %.1f MB/s, as from a shared disk.",
            options.inputMb(),
            WorkloadPlan.BATCH_ARRIVAL.toMillis(),
            plan.readBytesPerSecond() / 1e6));
  }

  /** A cgroup of our own, or none with a word about what is missing. */
  private static Optional<String> cgroupRoot(WorkloadPlan plan, Progress progress) {
    String root = "/charon-demo-" + ProcessHandle.current().pid();
    try {
      Optional<NodeCgroups> cgroups = NodeCgroups.find(Path.of("/proc"));
      if (cgroups.isEmpty()) {
        progress.say("No cgroup memory controller is mounted: nodes have no memory limit.");
        return Optional.empty();
      }
      cgroups.get().create(root + "/probe", (long) plan.nodeMemoryMb() << 20);
      cgroups.get().remove(root);
      return Optional.of(root);
    } catch (IOException e) {
      progress.say(
          "Cannot create memory cgroups ("
              + e
              + "): nodes have no memory limit, tasks no weights. Run as root for the full demo.");
      return Optional.empty();
    }
  }
}
