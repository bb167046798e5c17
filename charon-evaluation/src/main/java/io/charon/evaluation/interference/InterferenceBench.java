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
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.MemoryDirectory;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.Setting;
import io.charon.evaluation.machine.UaKiller;
import io.charon.evaluation.postgres.PostgresPrograms;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Measures what best-effort costs production on a node of 400 MB: without protection, with a static
 * limit, with the kernel UA killer, and with the moving memory limit.
 */
public final class InterferenceBench {
  /** Share of the node that a static limit leaves free. */
  private static final double STATIC_RESERVE = 0.02;

  /** Processor weight of the benchmark, in processes: other work on the machine matters little. */
  private static final int WEIGHS_LIKE = 100;

  private final Path root;
  private final PrintWriter out;

  /**
   * Creates the benchmark.
   *
   * @param root the repository
   * @param out receives progress
   */
  public InterferenceBench(Path root, PrintWriter out) {
    this.root = root;
    this.out = out;
  }

  /**
   * Measures the episodes that were not measured before.
   *
   * @param kept file that keeps each episode, so that another call can continue; empty: none
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public InterferenceResult run(InterferenceOptions options, Optional<Path> kept, TimeBudget budget)
      throws IOException, InterruptedException {
    // Swap and killer need no mention: nodes have no swap, and without the killer its modes fail.
    Setting setting = Setting.ofThisMachine(NodeCgroups.require(Path.of("/proc")).version());
    EpisodeStore store = EpisodeStore.open(kept, options.episode().toMillis() / 1e3, setting);
    BenchProgress progress = new BenchProgress(out);
    List<PlannedEpisode> missing =
        InstalledEpisodes.of(
            EpisodeOrder.of(options).stream().filter(planned -> !store.has(planned)).toList(),
            PostgresPrograms::find,
            progress::print);
    if (!missing.isEmpty()) {
      try (Cleanup cleanup = new Cleanup()) {
        EpisodeRun.Machine machine = machine(setting, missing, options, progress, cleanup);
        for (int done = 0; done < missing.size() && !budget.isExhausted(done); done++) {
          PlannedEpisode planned = missing.get(done);
          store.add(
              EpisodeRun.run(
                  machine, planned, options.episode(), staticLimit(planned, options, store)));
          progress.step(done + 1, missing.size(), planned.key());
        }
      }
    }
    List<Episode> measured =
        EpisodeOrder.of(options).stream().flatMap(planned -> store.of(planned).stream()).toList();
    if (measured.isEmpty()) {
      throw new IOException("nothing could be measured");
    }
    return new InterferenceResult(
        options,
        measured,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.version"),
        progress.seconds());
  }

  private EpisodeRun.Machine machine(
      Setting setting,
      List<PlannedEpisode> planned,
      InterferenceOptions options,
      BenchProgress progress,
      Cleanup cleanup)
      throws IOException, InterruptedException {
    NodeCgroups cgroups = NodeCgroups.require(Path.of("/proc"));
    String name = "charon-bench-" + ProcessHandle.current().pid();
    NativeTools tools = NativeTools.of(root);
    ClusterLeftovers.removeOfKilled(tools.killer(), progress::print);
    Path inMemory = MemoryDirectory.create(BestEffort.tmpfsMegabytes(), cleanup);
    EpisodeRun.Machine machine =
        new EpisodeRun.Machine(
            setting,
            "/" + name,
            tools,
            UaKiller.of(tools.killer(), name, cleanup),
            WorkingSetFile.create(tools, Production.MEGABYTES, cleanup),
            planned.stream().anyMatch(one -> one.bestEffort().filter(BestEffort::reads).isPresent())
                ? Optional.of(WorkingSetFile.create(tools, BestEffort.readMegabytes(), cleanup))
                : Optional.empty(),
            inMemory,
            Optional.empty());
    cleanup.add(() -> Files.deleteIfExists(machine.written()));
    cleanup.add(() -> cgroups.remove(machine.top()));
    cgroups.setCpuWeight(machine.top(), WEIGHS_LIKE);
    // Last, so that its server is ended in an orderly way before the cgroups are removed.
    return planned.stream().allMatch(one -> one.production().isProgram())
        ? machine
        : machine.with(PostgresService.create(options.episode(), progress, cleanup));
  }

  /**
   * Returns the memory that production's peak when alone leaves of the node, less 2 % of the node,
   * MB; empty if production alone has not been measured.
   */
  private static OptionalDouble staticLimit(
      PlannedEpisode planned, InterferenceOptions options, EpisodeStore store) {
    OptionalDouble peak =
        EpisodeOrder.of(options).stream()
            .filter(other -> other.mode() == InterferenceMode.ALONE)
            .filter(other -> other.production() == planned.production())
            .flatMap(other -> store.of(other).stream())
            .mapToDouble(episode -> episode.memory().productionPeak())
            .max();
    return peak.isPresent()
        ? OptionalDouble.of(InterferenceNode.MEGABYTES * (1 - STATIC_RESERVE) - peak.getAsDouble())
        : OptionalDouble.empty();
  }
}
