/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import io.charon.evaluation.statistics.Percentiles;
import io.charon.evaluation.validation.DemoDocument.Containers;
import io.charon.evaluation.validation.DemoDocument.Job;
import io.charon.evaluation.validation.DemoDocument.Mode;
import io.charon.evaluation.validation.DemoDocument.Run;
import io.charon.sls.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The demo and its simulation side by side.
 *
 * @param calibration inputs of the simulation
 * @param cores processors that the machine's other load left to all containers, by mode
 * @param modes the numbers of each mode
 */
public record SimulationComparison(
    SimulationInputs calibration,
    Map<String, Double> cores,
    Map<String, List<ComparedNumber>> modes) {
  /**
   * Simulates every mode of the demo and compares the numbers.
   *
   * @param demo measurements of the demo
   * @param seeds number of simulated runs for each real one, at least 1
   * @throws IOException if the demo lacks an input; the message says which
   */
  public static SimulationComparison of(DemoDocument demo, int seeds) throws IOException {
    SimulationInputs calibration = SimulationInputs.of(demo);
    Map<String, List<SimulatedRun>> simulated = new LinkedHashMap<>();
    for (Map.Entry<String, Mode> mode : demo.modes().entrySet()) {
      simulated.put(
          mode.getKey(),
          simulate(
              demo, calibration, mode.getValue(), policyOf(mode.getKey(), mode.getValue()), seeds));
    }
    double aloneSeconds =
        simulated.get(DemoDocument.ALONE).stream()
            .mapToDouble(SimulatedRun::productionSeconds)
            .average()
            .orElseThrow();
    Map<String, List<ComparedNumber>> modes = new LinkedHashMap<>();
    simulated.forEach((mode, runs) -> modes.put(mode, numbers(demo, mode, runs, aloneSeconds)));
    return new SimulationComparison(calibration, cores(demo, calibration), modes);
  }

  private static Map<String, Double> cores(DemoDocument demo, SimulationInputs calibration) {
    Map<String, Double> cores = new LinkedHashMap<>();
    demo.modes()
        .forEach(
            (name, mode) ->
                cores.put(
                    name,
                    mode.runs().stream()
                        .mapToDouble(run -> calibration.during(run).nodes().size().cores())
                        .average()
                        .orElseThrow()));
    return cores;
  }

  private static List<SimulatedRun> simulate(
      DemoDocument demo, SimulationInputs calibration, Mode mode, Policy policy, int seeds)
      throws IOException {
    List<SimulatedRun> runs = new ArrayList<>();
    for (Run real : mode.runs()) {
      for (int seed = 1; seed <= seeds; seed++) {
        runs.add(DemoSimulation.run(demo, calibration, real, policy, seed));
      }
    }
    return runs;
  }

  /**
   * Returns the policy of the demo's nodes in a mode. They have the shipped keys but no limit by
   * processors, and in mode {@code threshold} no mechanism.
   */
  static Policy policyOf(String name, Mode mode) throws IOException {
    return switch (name) {
      case DemoDocument.ALONE -> Policy.PRODUCTION_ALONE;
      case "stock-yarn" -> Policy.STOCK_YARN;
      case "threshold" -> Policy.THRESHOLD_FAIR;
      case "charon" ->
          mode.killer().startsWith("kernel")
              ? Policy.CHARON_ANY_PROCESSORS
              : Policy.CHARON_NO_CGROUPS;
      default -> throw new IOException("mode " + name + " of the demo is not simulated");
    };
  }

  private static List<ComparedNumber> numbers(
      DemoDocument demo, String name, List<SimulatedRun> simulated, double aloneSeconds) {
    Mode mode = demo.modes().get(name);
    boolean alone = name.equals(DemoDocument.ALONE);
    List<ComparedNumber> numbers = new ArrayList<>();
    if (!alone) {
      List<List<Double>> completed =
          mode.runs().stream().map(run -> completionSeconds(run, demo.windowSeconds())).toList();
      numbers.add(
          new ComparedNumber(
              "jobs completed",
              "",
              Percentiles.median(completed.stream().map(list -> (double) list.size()).toList()),
              values(simulated, run -> OptionalDouble.of(run.completionSeconds().size())),
              false));
      List<Double> all = completed.stream().flatMap(Collection::stream).toList();
      for (int percent : new int[] {50, 90}) {
        numbers.add(
            new ComparedNumber(
                "completion time, %d %%".formatted(percent),
                "s",
                Percentiles.of(all, percent),
                values(simulated, run -> Percentiles.of(run.completionSeconds(), percent)),
                false));
      }
    }
    numbers.add(
        new ComparedNumber(
            "production time",
            "s",
            OptionalDouble.of(mode.productionSeconds()),
            values(simulated, run -> OptionalDouble.of(run.productionSeconds())),
            alone));
    if (!alone) {
      double measuredAlone = demo.modes().get(DemoDocument.ALONE).productionSeconds();
      numbers.add(
          new ComparedNumber(
              "production slowdown",
              "",
              OptionalDouble.of(mode.productionSeconds() / measuredAlone),
              values(simulated, run -> OptionalDouble.of(run.productionSeconds() / aloneSeconds)),
              false));
      numbers.add(
          count(
              "containers launched",
              mode,
              Containers::launched,
              simulated,
              SimulatedRun::launched));
      numbers.add(
          count("  killed for memory", mode, Containers::killed, simulated, SimulatedRun::killed));
      numbers.add(
          count(
              "  preempted by YARN",
              mode,
              Containers::preempted,
              simulated,
              SimulatedRun::preempted));
    }
    numbers.add(
        new ComparedNumber(
            "memory utilization",
            "%",
            mode.memoryUtilization() == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(mode.memoryUtilization() * 100),
            values(simulated, run -> OptionalDouble.of(run.memoryUtilization() * 100)),
            alone));
    return numbers;
  }

  private static ComparedNumber count(
      String name,
      Mode mode,
      Function<Containers, Double> measured,
      List<SimulatedRun> simulated,
      Function<SimulatedRun, Integer> value) {
    Double count = mode.containers() == null ? null : measured.apply(mode.containers());
    return new ComparedNumber(
        name,
        "",
        count == null ? OptionalDouble.empty() : OptionalDouble.of(count),
        values(simulated, run -> OptionalDouble.of(value.apply(run))),
        false);
  }

  private static List<Double> values(
      List<SimulatedRun> runs, Function<SimulatedRun, OptionalDouble> value) {
    return runs.stream()
        .map(value)
        .filter(OptionalDouble::isPresent)
        .map(OptionalDouble::getAsDouble)
        .toList();
  }

  private static List<Double> completionSeconds(Run run, double windowSeconds) {
    return run.jobs().stream()
        .filter(job -> job.finishedSeconds() != null && job.finishedSeconds() <= windowSeconds)
        .map(Job::seconds)
        .toList();
  }
}
