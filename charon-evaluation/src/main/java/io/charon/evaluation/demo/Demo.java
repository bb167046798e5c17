/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.evaluation.cluster.LinuxExecutorCheck;
import io.charon.evaluation.cluster.NodeLimits;
import io.charon.evaluation.machine.TemporaryDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileUtil;

/** The demo: prepares the input, runs every mode and reports the result. */
public final class Demo {
  /** File in the output directory that holds all runs so far. */
  private static final String HISTORY = "runs.jsonl";

  /** The same for runs with LinuxContainerExecutor. */
  private static final String LINUX_HISTORY = "runs-linux.jsonl";

  /** Approximate time that a mode takes in addition to the measurement. */
  private static final Duration START_AND_END = Duration.ofSeconds(25);

  private final Installation installation;
  private final Path root;
  private final PrintWriter out;
  private final boolean terminal;

  /**
   * Creates the demo.
   *
   * @param root the repository, where the kernel UA killer is built
   * @param out receives progress and result
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
   * @return the outcome of the last run, or of all runs so far if several are requested
   * @throws IllegalArgumentException if the options are inconsistent, or nothing can be written to
   *     the directories that they name
   * @throws IOException if a cluster does not start, a daemon exits or a file cannot be written
   */
  public DemoOutcome run(DemoOptions options) throws IOException, InterruptedException {
    WorkloadPlan usual = options.workload().plan();
    Progress progress = new Progress(out, terminal);
    ClusterLeftovers.removeOfKilled(progress::say);
    check(options, usual).forEach(progress::say);
    Optional<String> cgroupRoot = cgroupRoot(usual, progress);
    Path inputDirectory = TemporaryDirectory.create("charon-input-");
    Runnable removal = () -> FileUtil.fullyDelete(inputDirectory.toFile());
    Thread cleanup = new Thread(removal, "charon-demo-cleanup");
    Runtime.getRuntime().addShutdownHook(cleanup);
    try {
      if (options.linux().isPresent()) {
        prepareUsers(options.linux().get(), cgroupRoot, inputDirectory, progress);
      }
      RunHistory history =
          RunHistory.read(
              options
                  .output()
                  .directory()
                  .resolve(options.linux().isPresent() ? LINUX_HISTORY : HISTORY),
              conditions(usual, options, cgroupRoot));
      requireRunForJson(options, history);
      progress.say(
          "Preparing %d MB of text and the results to compare with, and measuring what a batch costs on this machine: 10 to 40 s."
              .formatted(options.input().megabytes()));
      DemoInput input =
          DemoInput.prepare(
              options.input().text().orElse(installation.inputSources()),
              root,
              inputDirectory,
              options.input().megabytes(),
              usual.nodes());
      WorkloadPlan plan = options.workload().slowsDown() ? usual.on(input.batch()) : usual;
      explain(plan, input.batch(), options, progress);
      DemoModeRun run =
          new DemoModeRun(
              installation,
              plan,
              input,
              cgroupRoot,
              options.linux(),
              root,
              progress,
              options.calibrates());
      return runUntilEnough(options, plan, run, history, progress);
    } finally {
      removal.run();
      Runtime.getRuntime().removeShutdownHook(cleanup);
    }
  }

  /** Fails before a run if its results could not be kept, or this machine is not enough. */
  private static List<String> check(DemoOptions options, WorkloadPlan plan) throws IOException {
    options.output().requireWritable();
    return DemoMachine.ofThis().check(plan);
  }

  /**
   * Makes the input readable for the containers' users and checks that containers can run as them.
   */
  private void prepareUsers(
      LinuxExecutor linux, Optional<String> cgroupRoot, Path inputDirectory, Progress progress)
      throws IOException, InterruptedException {
    Files.setPosixFilePermissions(inputDirectory, PosixFilePermissions.fromString("rwxr-xr-x"));
    new LinuxExecutorCheck(Path.of("/proc"))
        .require(linux, cgroupRoot, installation, inputDirectory);
    progress.say(linux.description());
  }

  private RunConditions conditions(
      WorkloadPlan plan, DemoOptions options, Optional<String> cgroupRoot)
      throws InterruptedException {
    return new RunConditions(
        plan,
        options.modes(),
        options.input(),
        installation.hadoopVersion(),
        cgroupRoot.isPresent(),
        cgroupRoot.isPresent()
            && options.modes().contains(DemoMode.CHARON)
            && KernelProtection.canLoad(root, ownName(), plan.outgrowing()));
  }

  /** Returns the name of this demo's cgroup and killer. */
  static String ownName() {
    return "charon-demo-" + ProcessHandle.current().pid();
  }

  /**
   * Fails if JSON is requested, which has the measurements of a run, and nothing is left to run.
   */
  private static void requireRunForJson(DemoOptions options, RunHistory history) {
    if (options.output().json().isPresent()
        && options.repeat() > 1
        && history.conclusive() >= options.repeat()) {
      throw new IllegalArgumentException(
          "--json would not be written: %s already holds %d conclusive runs, so nothing is run. Raise --repeat, name another --output, or leave out --json"
              .formatted(options.output().directory(), history.conclusive()));
    }
  }

  /** Runs once, or until there are enough conclusive runs, at most twice as often as needed. */
  private DemoOutcome runUntilEnough(
      DemoOptions options,
      WorkloadPlan plan,
      DemoModeRun run,
      RunHistory history,
      Progress progress)
      throws IOException, InterruptedException {
    long missing = options.repeat() == 1 ? 1 : options.repeat() - history.conclusive();
    if (missing <= 0) {
      history.lines().forEach(progress::say);
      return history.outcome(options.repeat());
    }
    DemoOutcome outcome = DemoOutcome.PASSED;
    long attempts = options.repeat() == 1 ? 1 : 2 * missing;
    for (long i = 0; i < attempts && missing > 0; i++) {
      List<String> unused = check(options, plan); // its remarks have been made
      DemoResult result = runAll(options, plan, run, progress);
      history.add(result);
      report(result, history, options);
      outcome = result.outcome();
      missing -= outcome == DemoOutcome.INCONCLUSIVE ? 0 : 1;
    }
    return options.repeat() > 1 ? history.outcome(options.repeat()) : outcome;
  }

  private DemoResult runAll(
      DemoOptions options, WorkloadPlan plan, DemoModeRun run, Progress progress)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Measurements measurements = new Measurements();
    progress.expect(usual(plan, options.modes().size()));
    for (DemoMode mode : options.modes()) {
      measurements.add(measure(mode, run, progress));
    }
    DemoResult result = result(options, plan, measurements, start);
    while (options.remeasures()
        && result.outcome() == DemoOutcome.INCONCLUSIVE
        && measurements.repeated() < options.modes().size()) {
      DemoMode mode = measurements.leastSteady().mode();
      progress.say(
          String.format(
              Locale.ROOT,
              "This machine did not keep its pace: production by itself is known to %.1f %% in mode %s,"
                  + " required are %.0f %%. Measuring it once more.",
              100 * measurements.leastSteady().paceError(),
              mode.label(),
              100 * Verdicts.PACE));
      progress.expect(usual(plan, 1));
      measurements.add(measure(mode, run, progress));
      result = result(options, plan, measurements, start);
    }
    return result;
  }

  private static Duration usual(WorkloadPlan plan, int modes) {
    WorkloadTimes times = plan.times();
    return times.measured().plus(times.slowed(START_AND_END)).multipliedBy(modes);
  }

  private static DemoRunResult measure(DemoMode mode, DemoModeRun run, Progress progress)
      throws IOException, InterruptedException {
    progress.say(mode.label() + ": starting one ResourceManager and two NodeManagers");
    DemoRunResult result = run.run(mode);
    progress.say(
        String.format(
            Locale.ROOT,
            "%s: %d best-effort tasks done, production's median batch took %.1f ms, by itself %.1f ms before"
                + " and %.1f ms after",
            mode.label(),
            result.work().tasks(),
            1000 * result.production().windowPercentile(50),
            1000 * result.production().beforeP50(),
            1000 * result.production().afterP50()));
    return result;
  }

  private DemoResult result(
      DemoOptions options, WorkloadPlan plan, Measurements measurements, long startNanos) {
    Map<DemoMode, DemoModeSummary> modes = new LinkedHashMap<>();
    for (DemoRunResult compared : measurements.compared()) {
      modes.put(compared.mode(), DemoModeSummary.of(compared));
    }
    return new DemoResult(
        modes,
        measurements.discarded(),
        plan,
        installation.hadoopVersion(),
        options.linux().isPresent() ? "linux" : "default",
        (System.nanoTime() - startNanos) / 1e9);
  }

  private void report(DemoResult result, RunHistory history, DemoOptions options)
      throws IOException {
    out.println();
    DemoReport.lines(result).forEach(out::println);
    RegulatorReport.lines(result).forEach(out::println);
    if (options.repeat() > 1) {
      out.println();
      history.lines().forEach(out::println);
    }
    DemoPicture picture = new DemoPicture(options.repeat() > 1 ? history : history.last());
    picture.lines().forEach(out::println);
    DemoOptions.Output files = options.output();
    picture.write(files.html());
    Path memory = files.directory().resolve("memory.svg");
    DemoChart.write(result, memory);
    out.println();
    out.println("Chart: " + files.html().toAbsolutePath());
    out.println("Memory over time: " + memory.toAbsolutePath());
    if (files.json().isPresent()) {
      new DemoJson().write(result, history, files.json().get());
      out.println("JSON:    " + files.json().get().toAbsolutePath());
    }
    out.flush();
  }

  private static void explain(
      WorkloadPlan plan, Duration batch, DemoOptions options, Progress progress) {
    progress.say(
        plan.nodes()
            + " nodes of "
            + plan.nodeMemoryMb()
            + " MiB; their NodeManagers offer 90 %, "
            + plan.clusterMb()
            + " MiB together.");
    progress.say(
        String.format(
            Locale.ROOT,
            "Production reserves %d MiB (%.0f %%): an ApplicationMaster and %d tasks of %d MiB.",
            plan.productionReservedMb(),
            plan.productionReservedFraction() * 100,
            plan.nodes(),
            plan.productionTaskMb()));
    progress.say(
        String.format(
            Locale.ROOT,
            "Best-effort jobs share the other %d MiB: up to %d ApplicationMasters of %d MiB at a time,"
                + " tasks request %d MiB each.",
            plan.clusterMb() - plan.productionReservedMb(),
            plan.kind() == WorkloadKind.MEMORY ? 2 : WorkloadPlan.PARALLEL_BEST_EFFORT_JOBS,
            WorkloadPlan.BEST_EFFORT_MASTER_MB,
            plan.bestEffortTaskMb()));
    if (plan.kind() == WorkloadKind.CPU) {
      progress.say(
          "This workload is short of processors, not of memory: each start of a JVM slows "
              + "production down, and Charon starts more of them. Only right results are promised.");
    }
    if (plan.outgrowing()) {
      progress.say(
          String.format(
              Locale.ROOT,
              "One more best-effort job requests %d MiB and uses %d MiB, after %d s.",
              plan.outgrowingTaskMb(),
              plan.nodeMemoryMb(),
              plan.outgrowingAt().toSeconds()));
    }
    progress.say(
        String.format(
            Locale.ROOT,
            "Input: %d MB of text. Between two batches, production waits %d ms for the next to arrive;"
                + " best-effort tasks read at a limited rate, as from a shared disk.",
            options.input().megabytes(),
            ProductionPace.of(batch, plan).arrival().toMillis()));
    WorkloadTimes times = plan.times();
    if (times.slowdown() > 1) {
      progress.say(
          String.format(
              Locale.ROOT,
              "This machine is slow: a batch of production takes %d ms of processor time, %d are usual. Everything"
                  + " lasts %.1f times as long, a window %d s and best-effort tasks %d to %d s; --window-seconds"
                  + " or --quick keep it short, and production then pays more.",
              batch.toMillis(),
              WorkloadTimes.USUAL_BATCH.toMillis(),
              times.slowdown(),
              times.window().toSeconds(),
              times.shortestTask().toSeconds(),
              times.longestTask().toSeconds()));
    }
  }

  /** Returns the demo's own cgroup; if there is none, prints what is missing. */
  private static Optional<String> cgroupRoot(WorkloadPlan plan, Progress progress) {
    NodeLimits limits = NodeLimits.probe("/" + ownName(), (long) plan.nodeMemoryMb() << 20);
    limits.missing().ifPresent(progress::say);
    return limits.cgroupRoot();
  }
}
