/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static io.charon.evaluation.report.ReportNumbers.number;
import static io.charon.evaluation.report.ReportNumbers.put;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reports the measurements of {@code bench colocation}. */
public final class ColocationReport {
  private static final List<String> HEADER =
      List.of(
          "scenario",
          "mode",
          "p95 ms",
          "p95",
          "p99",
          "fluctuation",
          "mean",
          "throughput",
          "background",
          "utilization",
          "violations",
          "kills",
          "agent CPU %",
          "n",
          "failed");

  private ColocationReport() {}

  /** Returns the report of a run. */
  public static Report of(ColocationResult result) {
    List<List<String>> rows = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    remarks.add(
        "p95, p99, mean (latency from the moment a request was due) and throughput: ratios to the"
            + " foreground alone; background: to its work alone; fluctuation: of the p99 from 200 answers"
            + " to the next 200, as a share of it, on average; a failed request counts as at least "
            + OpenLoopClient.TIMEOUT.toSeconds()
            + " s; medians of "
            + result.options().repetitions()
            + (result.options().repetitions() == 1 ? " repetition." : " repetitions."));
    for (ScenarioResult scenario : result.scenarios()) {
      scenario.summaries().forEach(summary -> rows.add(row(scenario, summary)));
      remarks.add(scenario.name() + ": " + scenario.setting());
      remarks.add(
          String.format(
              Locale.ROOT,
              "  A/A spread (alone against alone): p95 %.1f %%, p99 %.1f %%, mean %.1f %%; %.0f s"
                  + " measured, with regulators after a first window of %.0f s%s.",
              scenario.aaSpread() * 100,
              scenario.aaSpreadOfTail() * 100,
              scenario.aaSpreadOfMean() * 100,
              scenario.times().measured().toMillis() / 1e3,
              scenario.times().window().toMillis() / 1e3,
              scenario.times().shortened() ? ", which is not the paper's" : ""));
    }
    for (AgentCost cost : result.agent()) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "agent: %d containers, every mechanism in enforce: %.2f %% of one CPU with all threads"
                  + " and programs, after %d s; a tick takes %.2f ms of CPU every %d ms (%d ticks)%s",
              cost.containers(),
              cost.cpuPercent(),
              cost.warmUp().toSeconds(),
              cost.microsPerTick() / 1e3,
              cost.tick().toMillis(),
              cost.ticks(),
              cost.unavailable().isEmpty()
                  ? ""
                  : "; not on this machine: " + String.join(", ", cost.unavailable())));
      remarks.add("  percent of one CPU by part: " + byPart(cost));
    }
    remarks.add(
        String.format(
            Locale.ROOT,
            "Linux %s, %d CPUs; %.0f s.",
            result.kernel(),
            result.processors(),
            result.seconds()));
    remarks.add("");
    targets(result).forEach(target -> remarks.add(target.line()));
    return new Report(HEADER, rows, remarks, json(result), true);
  }

  /** Returns the parts from the most expensive to the cheapest, without those that cost nothing. */
  private static String byPart(AgentCost cost) {
    return cost.percentByPart().entrySet().stream()
        .filter(part -> part.getValue() >= 0.005)
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .map(part -> String.format(Locale.ROOT, "%s %.2f", part.getKey(), part.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static List<ColocationTarget> targets(ColocationResult result) {
    return Stream.concat(
            result.scenarios().stream()
                .flatMap(scenario -> ColocationTargets.of(scenario).stream()),
            ColocationTargets.of(result.agent()).stream())
        .toList();
  }

  private static List<String> row(ScenarioResult scenario, ModeSummary summary) {
    return List.of(
        scenario.name(),
        summary.mode().name(),
        number("%.1f", summary.percentileMillis(95)),
        number("%.3f", summary.p95()),
        tail(summary),
        number("%.3f", summary.fluctuation()),
        number("%.3f", summary.mean()),
        number("%.3f", summary.throughput()),
        number("%.3f", summary.background()),
        String.format(Locale.ROOT, "%.2f", summary.utilization()),
        Integer.toString(summary.maximumViolations()),
        Integer.toString(summary.kills()),
        String.format(Locale.ROOT, "%.2f", summary.agentCpuPercent()),
        Integer.toString(summary.samples()),
        Integer.toString(summary.failed()));
  }

  /**
   * Returns the p99, marked where it is hardly more than the maximum because there are few answers.
   */
  private static String tail(ModeSummary summary) {
    boolean few =
        summary.runs().stream()
            .anyMatch(run -> run.foreground().answered().size() < Requests.MIN_FOR_P99);
    return number("%.3f", summary.p99()) + (few && summary.p99().isPresent() ? " (few)" : "");
  }

  private static ObjectNode json(ColocationResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode scenarios = root.putArray("scenarios");
    for (ScenarioResult scenario : result.scenarios()) {
      for (ModeSummary summary : scenario.summaries()) {
        scenarios.add(json(scenario, summary));
      }
    }
    ArrayNode agent = root.putArray("agent");
    for (AgentCost cost : result.agent()) {
      ObjectNode one =
          agent
              .addObject()
              .put("containers", cost.containers())
              .put("warmUpSeconds", cost.warmUp().toSeconds())
              .put("ticks", cost.ticks())
              .put("tickMillis", cost.tick().toMillis())
              .put("microsPerTick", cost.microsPerTick())
              .put("cpuPercent", cost.cpuPercent());
      ObjectNode parts = one.putObject("percentByPart");
      cost.percentByPart().forEach(parts::put);
      cost.unavailable().forEach(one.putArray("unavailable")::add);
    }
    ArrayNode targets = root.putArray("targets");
    for (ColocationTarget target : targets(result)) {
      targets
          .addObject()
          .put("name", target.name())
          .put("measured", target.measured())
          .put("verdict", target.verdict().text());
    }
    root.put("paperWindows", result.options().window().isEmpty());
    root.put("kernel", result.kernel());
    root.put("cpus", result.processors());
    root.put("seconds", result.seconds());
    return root;
  }

  private static ObjectNode json(ScenarioResult scenario, ModeSummary summary) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("name", scenario.name());
    node.put("mode", summary.mode().name());
    put(node, "foregroundP95VsAlone", summary.p95());
    put(node, "foregroundP99VsAlone", summary.p99());
    put(node, "foregroundThroughputVsAlone", summary.throughput());
    put(node, "backgroundWorkVsAlone", summary.background());
    node.put("utilization", summary.utilization());
    node.put("maxViolations", summary.maximumViolations());
    node.put("agentCpuPercent", summary.agentCpuPercent());
    node.put("repetitions", summary.runs().size());
    node.put("aaSpread", scenario.aaSpread());
    put(node, "foregroundMeanVsAlone", summary.mean());
    node.put("aaSpreadOfMean", scenario.aaSpreadOfMean());
    node.put("aaSpreadOfP99", scenario.aaSpreadOfTail());
    put(node, "spareUsed", scenario.spareUsed(summary));
    put(node, "p50Millis", summary.percentileMillis(50));
    put(node, "p95Millis", summary.percentileMillis(95));
    put(node, "p99Millis", summary.percentileMillis(99));
    put(node, "p99Fluctuation", summary.fluctuation());
    put(node, "p99FluctuationP95", summary.highFluctuation());
    node.put("samples", summary.samples());
    node.put("failed", summary.failed());
    node.put("windowSeconds", scenario.times().window().toMillis() / 1e3);
    node.put("measuredSeconds", scenario.times().measured().toMillis() / 1e3);
    node.put("setting", scenario.setting());
    ArrayNode runs = node.putArray("runs");
    for (RunMeasurement run : summary.runs()) {
      ObjectNode one = runs.addObject();
      put(one, "p95Millis", run.foreground().percentileMillis(95));
      put(one, "p99Millis", run.foreground().percentileMillis(99));
      put(one, "p99Fluctuation", run.foreground().fluctuation().mean());
      put(one, "meanMillis", run.foreground().meanMillis());
      one.put("samples", run.foreground().answered().size());
      one.put("answersPerSecond", run.answersPerSecond());
      one.put("backgroundPerSecond", run.backgroundPerSecond());
      one.put("utilization", run.utilization());
      one.put("violations", run.agent().violations());
      one.put("kills", run.agent().kills());
      put(one, "agentCpuPercent", run.agent().cpuPercent());
    }
    return node;
  }
}
