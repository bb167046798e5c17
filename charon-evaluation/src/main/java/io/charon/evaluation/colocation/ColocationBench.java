/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.cluster.ClusterLeftovers;
import io.charon.evaluation.killer.BenchProgress;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures what best-effort work costs a foreground on the same node, and how much work it gets
 * done: without limits, with static limits and with regulators. Each repetition runs every mode of
 * a scenario once and begins with a different mode, so that slow changes of the machine affect all
 * alike.
 */
public final class ColocationBench {
  private static final String AGENT = "agent";

  /** Values of {@code --scenario}. */
  public static final List<String> SCENARIOS = List.of("cpu", "network", "memory", AGENT);

  /** Windows of the regulators' control laws (Scavenger, section 6.1). */
  private static final Map<String, Duration> WINDOWS =
      Map.of(
          "cpu", Duration.ofSeconds(15),
          "network", Duration.ofSeconds(30),
          "memory", Duration.ofSeconds(60));

  private final Path root;
  private final PrintWriter out;

  /**
   * Creates the benchmark.
   *
   * @param root root directory of the repository
   * @param out receives progress
   */
  public ColocationBench(Path root, PrintWriter out) {
    this.root = root;
    this.out = out;
  }

  /**
   * Runs all measurements, or as many as the budget allows.
   *
   * @throws IOException if this machine does not allow it; the message says what is missing
   * @throws InterruptedException if interrupted
   */
  public ColocationResult run(ColocationOptions options, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    List<ScenarioResult> results = new ArrayList<>();
    NativeTools tools = NativeTools.of(root);
    ClusterLeftovers.removeOfKilled(tools.killer(), progress::print);
    for (String name : options.scenarios()) {
      if (name.equals(AGENT) || budget.isExhausted(results.size())) {
        continue;
      }
      try (Cleanup cleanup = new Cleanup()) {
        Scenario scenario = open(name, times(name, options), tools, cleanup);
        progress.print(name + ": " + scenario.setting());
        results.add(run(scenario, options, budget, progress));
      }
    }
    List<AgentCost> costs = new ArrayList<>();
    if (options.scenarios().contains(AGENT)) {
      progress.print("agent: warming up");
      AgentBench.warmUp(nodeName(), tools);
      for (int containers : AgentBench.SIZES) {
        if (budget.isExhausted(results.size() + costs.size())) {
          break;
        }
        progress.print("agent: a node with " + containers + " containers");
        costs.add(AgentBench.measure(nodeName(), containers, options.measured(), tools));
      }
    }
    return new ColocationResult(
        options,
        results,
        costs,
        System.getProperty("os.version"),
        Runtime.getRuntime().availableProcessors(),
        progress.seconds());
  }

  private static ScenarioResult run(
      Scenario scenario, ColocationOptions options, TimeBudget budget, BenchProgress progress)
      throws IOException, InterruptedException {
    List<ColocationMode> modes =
        modes(
            scenario,
            options
                .modes()
                .orElseGet(
                    () ->
                        options.quick()
                            ? withoutMostStaticModes(scenario.modes())
                            : scenario.modes()));
    List<ColocationMode> order = new ArrayList<>(modes);
    List<RunMeasurement> runs = new ArrayList<>();
    for (int repetition = 0;
        repetition < options.repetitions() && !budget.isExhausted(repetition);
        repetition++) {
      for (ColocationMode mode : order) {
        RunMeasurement run = new ModeRun(scenario, mode, options.audit()).run(repetition);
        runs.add(run);
        progress.print(describe(scenario, run));
      }
      Collections.rotate(order, -1);
    }
    return new ScenarioResult(scenario.name(), scenario.setting(), scenario.times(), modes, runs);
  }

  /**
   * Adds the modes that serve as references, which always run. The second run of the foreground
   * alone is as far from the first one as the order allows.
   */
  private static List<ColocationMode> modes(Scenario scenario, List<ColocationMode> chosen) {
    List<ColocationMode> modes = new ArrayList<>(List.of(ColocationMode.ALONE));
    List<ColocationMode> others = chosen.stream().filter(mode -> scenario.knows(mode)).toList();
    int half = (others.size() + 1) / 2;
    modes.addAll(others.subList(0, half));
    modes.add(ColocationMode.ALONE_AGAIN);
    modes.addAll(others.subList(half, others.size()));
    modes.add(ColocationMode.BACKGROUND_ALONE);
    return modes;
  }

  /** Keeps only the middle one of several static limits. */
  private static List<ColocationMode> withoutMostStaticModes(List<ColocationMode> modes) {
    List<ColocationMode> limits = modes.stream().filter(ColocationMode::isStatic).toList();
    return modes.stream()
        .filter(mode -> !mode.isStatic() || mode.equals(limits.get(limits.size() / 2)))
        .toList();
  }

  private static Scenario open(
      String name, ColocationTimes times, NativeTools tools, Cleanup cleanup)
      throws IOException, InterruptedException {
    String own = nodeName();
    return switch (name) {
      case "cpu" -> CpuScenario.open(own, times, tools, cleanup);
      case "network" -> NetworkScenario.open(own, times, tools, cleanup);
      case "memory" -> MemoryScenario.open(own, times, tools, cleanup);
      default -> throw new IllegalArgumentException("no scenario '" + name + "'");
    };
  }

  private static String nodeName() {
    return "charon-bench-" + ProcessHandle.current().pid();
  }

  private static ColocationTimes times(String scenario, ColocationOptions options) {
    Duration window = options.window().orElse(WINDOWS.get(scenario));
    boolean shortened = options.window().isPresent();
    return scenario.equals("memory")
        ? ColocationTimes.ofSizes(
            window, shortened, options.measured(), MemoryScenario.SIZES.size())
        : ColocationTimes.ofLevels(
            window, shortened, options.measured(), LoadSchedule.LEVELS.size());
  }

  private static String describe(Scenario scenario, RunMeasurement run) {
    return String.format(
        Locale.ROOT,
        "  %s %d %s: p95 %.1f ms, %.1f answers/s (%d measured, %d failed), background %.0f/s,"
            + " utilization %.2f",
        scenario.name(),
        run.repetition() + 1,
        run.mode(),
        run.foreground().percentileMillis(95).orElse(Double.NaN),
        run.answersPerSecond(),
        run.foreground().answered().size(),
        run.foreground().failed().size(),
        run.backgroundPerSecond(),
        run.utilization());
  }
}
