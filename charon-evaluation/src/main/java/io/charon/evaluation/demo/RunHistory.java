/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static io.charon.evaluation.report.ReportNumbers.putRounded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.statistics.Percentiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The runs under the same conditions in the order in which they were made. Each run is a line of a
 * file, so that runs accumulate over invocations. All runs are included, whatever their outcome.
 */
final class RunHistory {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String WORK_FACTOR = "/workFactor";
  private static final String BOUND = "/bound";

  /**
   * Required median of Charon's work relative to stock YARN's, or instead of its share of the upper
   * bound.
   */
  private static final double MEDIAN_FACTOR = 3;

  private static final double MEDIAN_SHARE_OF_BOUND = 0.9;

  private final Path file;
  private final ObjectNode workload;
  private final List<JsonNode> runs = new ArrayList<>();

  private RunHistory(Path file, ObjectNode workload) {
    this.file = file;
    this.workload = workload;
  }

  /**
   * Reads the runs of earlier invocations.
   *
   * @param file may be missing
   * @param conditions runs under other conditions are ignored
   * @throws IOException if the file cannot be read, or a line is not valid JSON
   */
  static RunHistory read(Path file, RunConditions conditions) throws IOException {
    RunHistory history = new RunHistory(file, conditions.toJson(MAPPER));
    String wanted = history.workload.toString();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        JsonNode run = MAPPER.readTree(line);
        if (run.path("workload").toString().equals(wanted)) {
          history.runs.add(run);
        }
      }
    }
    return history;
  }

  /** Returns a history of the last run alone. */
  RunHistory last() {
    RunHistory last = new RunHistory(file, workload);
    last.runs.add(runs.get(runs.size() - 1));
    return last;
  }

  /**
   * Returns the outcome of all runs: failed if a run failed or the median work misses the target,
   * and otherwise passed if enough runs are conclusive.
   *
   * @param wanted number of conclusive runs that are enough
   */
  DemoOutcome outcome(int wanted) {
    if (count(DemoOutcome.FAILED) > 0 || !medianHolds()) {
      return DemoOutcome.FAILED;
    }
    return conclusive() < wanted ? DemoOutcome.INCONCLUSIVE : DemoOutcome.PASSED;
  }

  /** The target for the median of the runs is higher than that for each run. */
  private boolean medianHolds() {
    OptionalDouble factor = Percentiles.median(values(WORK_FACTOR));
    OptionalDouble share = Percentiles.median(sharesOfBound());
    return factor.isEmpty()
        || factor.getAsDouble() >= MEDIAN_FACTOR
        || share.orElse(0) >= MEDIAN_SHARE_OF_BOUND;
  }

  private List<Double> sharesOfBound() {
    return runs.stream()
        .filter(run -> run.at(WORK_FACTOR).isNumber() && run.at(BOUND).isNumber())
        .map(run -> run.at(WORK_FACTOR).asDouble() / run.at(BOUND).asDouble())
        .filter(Double::isFinite)
        .toList();
  }

  /** Appends a run to the history and its file. */
  void add(DemoResult result) throws IOException {
    ObjectNode run = MAPPER.createObjectNode();
    run.set("workload", workload);
    run.put("slowdown", result.plan().times().slowdown());
    run.put("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
    ObjectNode modes = run.putObject("modes");
    result.modes().forEach((mode, summary) -> put(summary, modes.putObject(mode.label())));
    ArrayNode discarded = run.putArray("discarded");
    for (DemoRunResult measurement : result.discarded()) {
      put(
          DemoModeSummary.of(measurement),
          discarded.addObject().put("mode", measurement.mode().label()));
    }
    Bound bound = Bound.of(result);
    if (bound != null) {
      run.put("bound", bound.factor());
      run.put(
          "workFactor",
          Verdicts.workFactor(
              result.modes().get(DemoMode.STOCK_YARN), result.modes().get(DemoMode.CHARON)));
    }
    run.put("spread", result.paceError());
    run.put("conclusive", result.outcome() != DemoOutcome.INCONCLUSIVE);
    DemoJson.putVerdicts(run.putArray("verdicts"), result.verdicts());
    run.put("seconds", result.seconds());
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, run + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    runs.add(run);
  }

  /** Lines of earlier invocations may lack fields that were added later. */
  private static void put(DemoModeSummary summary, ObjectNode node) {
    node.put("completed", summary.completed())
        .put("tasks", summary.tasks())
        .put("verifiedMegabytes", summary.verifiedMegabytes())
        .put("memoryUtilization", summary.memoryUtilization().orElse(Double.NaN))
        .put("productionBeforeP50Seconds", summary.beforeSeconds())
        .put("productionAfterP50Seconds", summary.afterSeconds())
        .put("productionBatchP50Seconds", summary.batchSeconds(50))
        .put("productionBatchP95Seconds", summary.batchSeconds(95))
        .put("productionBatchVsOwnBaseline", summary.batchVsOwnBaseline())
        .put("productionSeconds", summary.productionSeconds())
        .put("productionBusySeconds", summary.productionBusySeconds());
    putRounded(node, "p50Seconds", summary.completionSeconds(50));
  }

  /** Returns the number of runs whose times can be compared. */
  long conclusive() {
    return runs.stream().filter(run -> !is(run, DemoOutcome.INCONCLUSIVE)).count();
  }

  int size() {
    return runs.size();
  }

  /** Returns median and range over all runs as text; empty for fewer than two runs. */
  List<String> lines() {
    if (runs.size() < 2) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d runs: %d passed, %d failed, %d inconclusive (%s). Median, and range from lowest to highest:"
            .formatted(
                runs.size(),
                count(DemoOutcome.PASSED),
                count(DemoOutcome.FAILED),
                count(DemoOutcome.INCONCLUSIVE),
                file));
    lines.add(line("Charon's work against stock YARN's", values(WORK_FACTOR), "%.2f"));
    lines.add(line("  of at most", values(BOUND), "%.2f"));
    if (!values(WORK_FACTOR).isEmpty()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s: a median of at least %.0f, or of %.1f of the possible maximum",
              medianHolds() ? "holds" : "DOES NOT HOLD",
              MEDIAN_FACTOR,
              MEDIAN_SHARE_OF_BOUND));
    }
    for (DemoMode mode : DemoMode.values()) {
      String path = "/modes/" + mode.label();
      if (!values(path + "/tasks").isEmpty()) {
        lines.add(line(mode.label() + ": tasks", values(path + "/tasks"), "%.0f"));
        lines.add(
            line(
                "  batch against by itself",
                values(path + "/productionBatchVsOwnBaseline"),
                "%.3f"));
        lines.add(line("  memory used", values(path + "/memoryUtilization"), "%.3f"));
      }
    }
    return lines;
  }

  private static String line(String name, List<Double> values, String format) {
    OptionalDouble median = Percentiles.median(values);
    if (median.isEmpty()) {
      return name + ": -";
    }
    return String.format(
        Locale.ROOT,
        "%-36s " + format + "  (" + format + " to " + format + ")",
        name,
        median.getAsDouble(),
        values.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
        values.stream().mapToDouble(Double::doubleValue).max().orElseThrow());
  }

  /** Returns the values at a path of the runs that have a finite number there. */
  List<Double> values(String path) {
    return runs.stream()
        .map(run -> run.at(path))
        .filter(JsonNode::isNumber)
        .map(JsonNode::asDouble)
        .filter(Double::isFinite)
        .toList();
  }

  private long count(DemoOutcome outcome) {
    return runs.stream().filter(run -> is(run, outcome)).count();
  }

  private static boolean is(JsonNode run, DemoOutcome outcome) {
    return run.path("outcome").asText().equals(outcome.name().toLowerCase(Locale.ROOT));
  }

  /** Returns all runs. */
  ArrayNode toJson(ObjectMapper mapper) {
    ArrayNode array = mapper.createArrayNode();
    array.addAll(runs);
    return array;
  }
}
