/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.killer.ThrashModelResult.ThrashBaseline;
import io.charon.evaluation.killer.ThrashModelResult.ThrashMachine;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Measures how much longer work takes when its memory does not fit. Programs with a known working
 * set run first without a limit, and then with limits below the memory that they used. Each
 * repetition measures every program at every ratio and begins with a different ratio. A slowdown
 * compares runs of one repetition, which see the same state of the machine.
 */
public final class ThrashModelBench {
  private static final int WORKING_SET_MEGABYTES = 200;
  private static final int ROOMY_MEGABYTES = 1024;

  /** Size of the swap device: several times what the largest ratio swaps out. */
  private static final int SWAP_MEGABYTES = 1024;

  /**
   * Intervals per phase with a shared limit. Reclaim weighs the two kinds of pages by their recent
   * cost, which takes longer to settle.
   */
  private static final int INTERVALS_OF_A_SHARED_LIMIT = 4;

  private final Path root;
  private final PrintWriter out;

  /**
   * Paces of programs that ran side by side, in their order, and the memory that they used
   * together.
   */
  private record Paces(List<Optional<WorkPace>> each, long usedBytes) {}

  /**
   * A run with a limit and its run without; the pace is empty if Linux's OOM killer ended the run.
   */
  private record LimitedRun(
      ThrashProgram program,
      boolean shared,
      double ratio,
      Optional<WorkPace> pace,
      WorkPace unlimited) {}

  /**
   * Creates the benchmark.
   *
   * @param root root directory of the repository
   * @param out receives progress
   */
  public ThrashModelBench(Path root, PrintWriter out) {
    this.root = root;
    this.out = out;
  }

  /**
   * Runs all measurements, or as many as the budget allows.
   *
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public ThrashModelResult run(ThrashModelOptions options, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    List<LimitedRun> runs = new ArrayList<>();
    int all = options.repetitions() * (ThrashProgram.values().length + 1);
    int done = 0;
    try (Cleanup cleanup = new Cleanup()) {
      NativeTools tools = NativeTools.of(root);
      ClusterLeftovers.removeOfKilled(tools.killer(), progress::print);
      PressureCell cell = PressureCell.create(tools, ROOMY_MEGABYTES, SWAP_MEGABYTES, cleanup);
      WorkingSetFile data = WorkingSetFile.create(tools, WORKING_SET_MEGABYTES, cleanup);
      ProgramRunner place = new ProgramRunner(tools, cell, data, options.interval());
      for (int repetition = 0; repetition < options.repetitions(); repetition++) {
        for (ThrashProgram program : ThrashProgram.values()) {
          if (budget.isExhausted(done)) {
            break;
          }
          runs.addAll(
              place.compare(List.of(program), rotated(options.ratios(program), repetition)));
          progress.step(++done, all, program.label());
        }
        if (budget.isExhausted(done)) {
          break;
        }
        runs.addAll(
            place.compare(
                List.of(ThrashProgram.ANONYMOUS, ThrashProgram.FILE),
                rotated(options.sharedRatios(), repetition)));
        progress.step(++done, all, "shared limit");
      }
      return new ThrashModelResult(
          options,
          Arrays.stream(ThrashProgram.values())
              .map(program -> baseline(program, runs))
              .filter(baseline -> !baseline.nanosPerTouch().isEmpty())
              .toList(),
          points(options, runs),
          new ThrashMachine(
              System.getProperty("os.version"),
              Runtime.getRuntime().availableProcessors(),
              cell.version2() ? 2 : 1,
              SWAP_MEGABYTES,
              data.disk(),
              WORKING_SET_MEGABYTES),
          progress.seconds());
    }
  }

  private static List<Double> rotated(List<Double> ratios, int by) {
    List<Double> rotated = new ArrayList<>(ratios);
    Collections.rotate(rotated, -by);
    return rotated;
  }

  /**
   * The place where programs run, each in a container of its own, all under the limit of one cell.
   */
  private record ProgramRunner(
      NativeTools tools, PressureCell cell, WorkingSetFile data, Duration interval) {

    /** Runs programs side by side, first without a limit and then at each ratio. */
    List<LimitedRun> compare(List<ThrashProgram> programs, List<Double> ratios)
        throws IOException, InterruptedException {
      List<LimitedRun> runs = new ArrayList<>();
      Paces unlimited = run(programs, (long) ROOMY_MEGABYTES << 20);
      for (double ratio : ratios) {
        Paces limited = run(programs, Math.round(unlimited.usedBytes() / ratio));
        for (int i = 0; i < programs.size(); i++) {
          WorkPace before =
              unlimited
                  .each()
                  .get(i)
                  .orElseThrow(() -> new IOException("a program without a limit was killed"));
          runs.add(
              new LimitedRun(
                  programs.get(i), programs.size() > 1, ratio, limited.each().get(i), before));
        }
      }
      return runs;
    }

    private Paces run(List<ThrashProgram> programs, long limitBytes)
        throws IOException, InterruptedException {
      cell.limitBytes(limitBytes);
      Duration each =
          programs.size() > 1 ? interval.multipliedBy(INTERVALS_OF_A_SHARED_LIMIT) : interval;
      List<WorkingContainer> containers = new ArrayList<>();
      try {
        for (ThrashProgram program : programs) {
          containers.add(
              WorkingContainer.start(
                  tools, cell, program, data.path(), WORKING_SET_MEGABYTES, each));
        }
        for (WorkingContainer container : containers) {
          container.settle();
        }
        List<Optional<WorkPace>> paces = new ArrayList<>();
        long usedBytes = 0;
        for (WorkingContainer container : containers) {
          paces.add(container.pace());
          usedBytes += container.residentBytes();
        }
        return new Paces(paces, usedBytes);
      } finally {
        for (WorkingContainer container : containers) {
          container.end();
        }
      }
    }
  }

  private static List<ThrashPoint> points(ThrashModelOptions options, List<LimitedRun> runs) {
    List<ThrashPoint> points = new ArrayList<>();
    for (ThrashProgram program : ThrashProgram.values()) {
      options.ratios(program).forEach(ratio -> points.add(point(program, false, ratio, runs)));
    }
    for (ThrashProgram program : List.of(ThrashProgram.ANONYMOUS, ThrashProgram.FILE)) {
      options.sharedRatios().forEach(ratio -> points.add(point(program, true, ratio, runs)));
    }
    points.removeIf(point -> point.slowdowns().isEmpty() && point.endedByLinux() == 0);
    return points;
  }

  private static ThrashBaseline baseline(ThrashProgram program, List<LimitedRun> runs) {
    return new ThrashBaseline(
        program,
        runs.stream()
            .filter(run -> run.program() == program && !run.shared())
            .map(run -> run.unlimited().nanosPerTouch())
            .distinct()
            .toList());
  }

  private static ThrashPoint point(
      ThrashProgram program, boolean shared, double ratio, List<LimitedRun> runs) {
    List<LimitedRun> own =
        runs.stream()
            .filter(
                run -> run.program() == program && run.shared() == shared && run.ratio() == ratio)
            .toList();
    List<LimitedRun> alive = own.stream().filter(run -> run.pace().isPresent()).toList();
    return new ThrashPoint(
        program,
        shared,
        ratio,
        alive.stream().map(run -> run.pace().orElseThrow().slowdown(run.unlimited())).toList(),
        alive.stream()
            .map(run -> run.pace().orElseThrow().nanosPerRefault(run.unlimited()))
            .toList(),
        own.size() - alive.size());
  }
}
