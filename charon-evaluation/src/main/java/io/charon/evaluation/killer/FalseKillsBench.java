/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Plays random but repeatable mixes of containers on a node that is too small for the guilty ones
 * among them. Counts the victims that should have survived and the thrash that should have ended.
 */
public final class FalseKillsBench {
  private static final int FIRST_LIMIT_MEGABYTES = 512;
  private static final int SWAP_MEGABYTES = 1024;

  private final Path root;
  private final PrintWriter out;

  /**
   * Creates the benchmark.
   *
   * @param root root directory of the repository
   * @param out receives progress, with a line for each round
   */
  public FalseKillsBench(Path root, PrintWriter out) {
    this.root = root;
    this.out = out;
  }

  /**
   * Plays all rounds, or as many as the budget allows.
   *
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public FalseKillsResult run(FalseKillsOptions options, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    List<RoundVerdict> verdicts = new ArrayList<>();
    try (Cleanup cleanup = new Cleanup()) {
      NativeTools tools = NativeTools.of(root);
      ClusterLeftovers.removeOfKilled(tools.killer(), progress::print);
      progress.print("writing files for the readers");
      ScratchFiles files = ScratchFiles.create(tools, cleanup);
      PressureCell cell =
          PressureCell.create(tools, FIRST_LIMIT_MEGABYTES, SWAP_MEGABYTES, cleanup);
      CellKiller killer = CellKiller.of(tools, cell, cleanup);
      for (int round = 0; round < options.rounds() && !budget.isExhausted(round); round++) {
        RoundScript script = RoundScript.of(options.seed() + round);
        killer.load(options.tolerance());
        killer.setFileRefaultPolicy(options.fileRefaults());
        killer.startHelper();
        RoundRun run = new RoundRun(tools, cell, killer, files, script);
        try {
          RoundVerdict verdict = run.play(options.tolerance(), options.episode());
          verdicts.add(verdict);
          progress.print(describe(round + 1, options.rounds(), script, verdict, run.kills()));
        } finally {
          run.end();
        }
        killer.unload();
      }
    }
    return new FalseKillsResult(options, verdicts, progress.seconds());
  }

  private static String describe(
      int round, int rounds, RoundScript script, RoundVerdict verdict, List<RoundKill> kills) {
    return String.format(
        Locale.ROOT,
        "round %d of %d, seed %d, %d MB: %s%n  %s; without relief %d, missed %d (ended late %d), ended by others %d",
        round,
        rounds,
        script.seed(),
        script.limitMegabytes(),
        script.containers().stream()
            .map(FalseKillsBench::describe)
            .collect(Collectors.joining(", ")),
        kills.isEmpty()
            ? "no kills"
            : kills.stream().map(RoundKill::line).collect(Collectors.joining(", ")),
        verdict.killsWithoutRelief(),
        verdict.missedThrash(),
        verdict.endedLate(),
        verdict.endedByOthers());
  }

  private static String describe(ScriptedContainer one) {
    return String.format(
        Locale.ROOT,
        "%s %s %d/%d MB %d s",
        one.name(),
        one.behaviour().name().toLowerCase(Locale.ROOT),
        one.workingSetMegabytes(),
        one.shareMegabytes(),
        one.ageSeconds());
  }
}
