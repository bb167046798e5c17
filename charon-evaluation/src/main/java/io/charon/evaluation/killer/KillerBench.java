/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Measures the duration of kills of thrashing containers on busy CPUs, for every variant in turn.
 * Each round kills one container of each size with each variant. Rounds begin with different
 * variants, so that slow changes of the machine affect all variants alike.
 */
public final class KillerBench {
  /** Fraction of the container that the limit leaves in memory. */
  private static final double RESIDENT_FRACTION = 0.6;

  /** Memory for the programs themselves, MiB. */
  private static final int OVERHEAD_MEGABYTES = 10;

  private static final int THREADS = 2;
  private static final int SWAP_MEGABYTES = 2048;

  private final Path root;
  private final PrintWriter out;

  /**
   * Creates the benchmark.
   *
   * @param root root directory of the repository
   * @param out receives progress
   */
  public KillerBench(Path root, PrintWriter out) {
    this.root = root;
    this.out = out;
  }

  /**
   * Runs all measurements, or as many as the budget allows.
   *
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public KillerResult run(KillerOptions options, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    List<KillMeasurement> measurements = new ArrayList<>();
    try (Cleanup cleanup = new Cleanup()) {
      NativeTools tools = NativeTools.of(root);
      ClusterLeftovers.removeOfKilled(tools.killer(), progress::print);
      PressureCell cell = PressureCell.create(tools, SWAP_MEGABYTES, SWAP_MEGABYTES, cleanup);
      CellKiller killer = CellKiller.of(tools, cell, cleanup);
      List<KillVariant> variants = new ArrayList<>(KillVariants.of(options, cell, killer));
      cell.startBusyLoops();
      int all = options.kills() * variants.size() * options.sizes().size();
      for (int round = 0; round < options.kills(); round++) {
        for (KillVariant variant : variants) {
          if (budget.isExhausted(measurements.size())) {
            break;
          }
          KillVariant.Session session = variant.open();
          try {
            for (int megabytes : options.sizes()) {
              if (session.isBroken()) {
                session.end();
                session = variant.open();
              }
              KillMeasurement one = measure(tools, cell, variant, session, megabytes);
              measurements.add(one);
              progress.step(measurements.size(), all, describe(one));
            }
          } finally {
            session.end();
          }
        }
        Collections.rotate(variants, -1);
      }
    }
    return new KillerResult(
        options,
        KillSummary.of(options.variants(), options.sizes(), measurements),
        System.getProperty("os.version"),
        Runtime.getRuntime().availableProcessors(),
        progress.seconds());
  }

  private static KillMeasurement measure(
      NativeTools tools,
      PressureCell cell,
      KillVariant variant,
      KillVariant.Session session,
      int megabytes)
      throws IOException, InterruptedException {
    cell.limit(
        (int) (megabytes * RESIDENT_FRACTION) + OVERHEAD_MEGABYTES + session.megabytesInCell());
    MemoryContainer victim = cell.container("victim");
    try {
      Process process =
          victim.start(
              Redirect.PIPE,
              List.of(
                  tools.workload().toString(),
                  "anonymous",
                  Integer.toString(megabytes),
                  Integer.toString(THREADS)));
      session.watch(victim, process.pid());
      try (KillObserver observer = KillObserver.start(tools, victim, variant.timeout())) {
        BufferedReader output = process.inputReader(StandardCharsets.US_ASCII);
        OptionalLong onset = onset(output.readLine());
        OptionalLong gone = observer.awaitGone();
        if (gone.isEmpty()) {
          // The session must answer for every victim, so a victim that outlived the timeout is
          // killed here.
          victim.killAll();
          Programs.kill(process, "the victim");
        }
        Optional<KillTimes> times = session.times(victim, observer);
        if (gone.isEmpty() || times.isEmpty()) {
          return KillMeasurement.without(
              variant.name(),
              megabytes,
              gone.isEmpty() ? KillMeasurement.End.NOT_KILLED : KillMeasurement.End.ENDED_BY_LINUX);
        }
        return KillMeasurement.of(
            variant.name(),
            megabytes,
            onset,
            times.get(),
            gone.getAsLong(),
            observer.freedAfter(times.get().decisionNanos()));
      }
    } finally {
      victim.remove();
    }
  }

  /**
   * Parses the line {@code sweep NANOS} that the workload prints when it begins to reuse all
   * memory.
   */
  private static OptionalLong onset(String line) {
    return line != null && line.startsWith("sweep ")
        ? OptionalLong.of(Long.parseLong(line.substring("sweep ".length())))
        : OptionalLong.empty();
  }

  private static String describe(KillMeasurement one) {
    return String.format(
        Locale.ROOT,
        "%s %d MB: %s",
        one.variant(),
        one.megabytes(),
        switch (one.end()) {
          case KILLED ->
              String.format(
                  Locale.ROOT,
                  "decided after %.0f ms, %s %.1f ms later",
                  one.onsetToDecision().orElse(Double.NaN),
                  one.unfreed() ? "not freed" : "freed",
                  one.decisionToFreed().orElse(Double.NaN));
          case ENDED_BY_LINUX -> "ended by Linux's OOM killer";
          case NOT_KILLED -> "not killed";
        });
  }
}
