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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the cost of a page fault while nothing is attached, and while the kernel UA killer is
 * attached with each of its data sources. The killer samples as usual but tolerates all thrash.
 * Each repetition measures every variant once and begins with a different variant.
 */
public final class OverheadBench {
  static final String NONE = "none";
  static final String NONE_AGAIN = "none-again";
  static final String LITE = "lite";
  static final String EXACT = "exact";

  private static final int ROOMY_MEGABYTES = 512;
  private static final int TIGHT_MEGABYTES = 64;
  private static final int SWAP_MEGABYTES = 512;
  private static final List<String> MINOR = List.of("minor-faults", "64", "12");
  private static final List<String> MAJOR = List.of("major-faults", "120", "30000");
  private static final Pattern COST = Pattern.compile("faults \\d+ nanos ([0-9.]+)");

  private final Path root;
  private final PrintWriter out;

  /**
   * Creates the benchmark.
   *
   * @param root root directory of the repository
   * @param out receives progress
   */
  public OverheadBench(Path root, PrintWriter out) {
    this.root = root;
    this.out = out;
  }

  /**
   * Runs all measurements, or as many as the budget allows.
   *
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public OverheadResult run(OverheadOptions options, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    List<String> variants = List.of(NONE, NONE_AGAIN, LITE, EXACT);
    Map<String, List<Double>> minor = new LinkedHashMap<>();
    Map<String, List<Double>> major = new LinkedHashMap<>();
    try (Cleanup cleanup = new Cleanup()) {
      NativeTools tools = NativeTools.of(root);
      ClusterLeftovers.removeOfKilled(tools.killer(), progress::print);
      PressureCell cell = PressureCell.create(tools, ROOMY_MEGABYTES, SWAP_MEGABYTES, cleanup);
      CellKiller killer = CellKiller.of(tools, cell, cleanup);
      List<String> order = new ArrayList<>(variants);
      int done = 0;
      for (int repetition = 0;
          repetition < options.repetitions() && !budget.isExhausted(repetition);
          repetition++) {
        for (String variant : order) {
          if (variant.equals(LITE) || variant.equals(EXACT)) {
            killer.load(Duration.ZERO, "--source", variant);
          }
          cell.limit(ROOMY_MEGABYTES);
          minor
              .computeIfAbsent(variant, key -> new ArrayList<>())
              .add(cost(tools, cell, killer, MINOR));
          cell.limit(TIGHT_MEGABYTES);
          major
              .computeIfAbsent(variant, key -> new ArrayList<>())
              .add(cost(tools, cell, killer, MAJOR));
          killer.unload();
          done++;
          progress.step(done, variants.size() * options.repetitions(), variant);
        }
        Collections.rotate(order, -1);
      }
    }
    return new OverheadResult(
        variants.stream()
            .map(variant -> new FaultCosts(variant, minor.get(variant), major.get(variant)))
            .toList(),
        System.getProperty("os.version"),
        Runtime.getRuntime().availableProcessors(),
        progress.seconds());
  }

  private static double cost(
      NativeTools tools, PressureCell cell, CellKiller killer, List<String> arguments)
      throws IOException, InterruptedException {
    MemoryContainer container = cell.container("faults");
    try {
      if (killer.isLoaded()) {
        killer.registerWatched(container);
      }
      List<String> command = new ArrayList<>(List.of(tools.workload().toString()));
      command.addAll(arguments);
      Process process = container.start(Redirect.PIPE, command);
      BufferedReader output = process.inputReader(StandardCharsets.US_ASCII);
      int code = Programs.await(process, String.join(" ", command), Programs.LIMIT);
      String line = String.valueOf(output.readLine());
      Matcher matcher = COST.matcher(line);
      if (!matcher.matches()) {
        throw new IOException(
            String.join(" ", arguments) + " gave no cost: '" + line + "', exit code " + code);
      }
      return Double.parseDouble(matcher.group(1));
    } finally {
      container.remove();
    }
  }
}
