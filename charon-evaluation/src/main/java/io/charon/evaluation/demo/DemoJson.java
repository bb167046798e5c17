/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static io.charon.evaluation.report.ReportNumbers.putRounded;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.json.JsonOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Writes the demo's result as JSON. Fields may be added but never removed; a value that was not
 * measured is null, never 0.
 */
final class DemoJson {
  private final ObjectMapper mapper = new ObjectMapper();

  /** Writes the result to a file. */
  void write(DemoResult result, RunHistory history, Path file) throws IOException {
    ObjectNode root = toJson(result);
    root.set("history", history.toJson(mapper));
    JsonOutput.write(root, file);
  }

  ObjectNode toJson(DemoResult result) {
    ObjectNode root = mapper.createObjectNode();
    ObjectNode modes = root.putObject("modes");
    result.modes().forEach((mode, summary) -> modes.set(mode.label(), toJson(summary, result)));
    ArrayNode discarded = root.putArray("discarded");
    for (DemoRunResult run : result.discarded()) {
      discarded.add(
          mapper
              .createObjectNode()
              .put("mode", run.mode().label())
              .setAll(toJson(DemoModeSummary.of(run), result)));
    }
    root.set("workload", ObservationsJson.workload(mapper, result.plan()));
    root.put("slowdown", result.plan().times().slowdown());
    root.put("windowSeconds", result.plan().times().window().toMillis() / 1000.0);
    root.put("baselineSeconds", result.plan().times().baseline().toMillis() / 1000.0);
    root.put("productionReservedFraction", round(result.plan().productionReservedFraction()));
    root.put("outputsAreRight", result.outputsAreRight());
    Bound bound = Bound.of(result);
    if (bound == null) {
      root.putNull("bound");
    } else {
      root.put("bound", round(bound.factor()));
      root.putObject("boundOf")
          .put("memorySlots", round(bound.memorySlots()))
          .put("processorSlots", round(bound.processorSlots()))
          .put("stockSlots", round(bound.stockSlots()));
    }
    root.put("spread", round(result.paceError()));
    root.put("conclusive", result.outcome() != DemoOutcome.INCONCLUSIVE);
    root.put("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
    putVerdicts(root.putArray("verdicts"), result.verdicts());
    root.put("hadoopVersion", result.hadoopVersion());
    root.put("executor", result.executor());
    root.put("seconds", round(result.seconds()));
    return root;
  }

  private ObjectNode toJson(DemoModeSummary mode, DemoResult result) {
    ObjectNode node = mapper.createObjectNode();
    double minutes = result.plan().times().window().toMillis() / 60_000.0;
    ObjectNode bestEffort = node.putObject("bestEffort");
    putNumber(bestEffort, "submitted", mode.submitted());
    putNumber(bestEffort, "completed", mode.completed());
    putNumber(bestEffort, "failed", mode.failed());
    putNumber(bestEffort, "unfinished", mode.unfinished());
    putNumber(bestEffort, "tasks", mode.tasks());
    bestEffort.put("verifiedMegabytes", round(mode.verifiedMegabytes()));
    putRounded(bestEffort, "p50Seconds", mode.completionSeconds(50));
    putRounded(bestEffort, "p95Seconds", mode.completionSeconds(95));
    bestEffort.put("completedPerMinute", round(mode.completed() / minutes));
    node.put("productionSeconds", round(mode.productionSeconds()));
    node.put("productionBusySeconds", round(mode.productionBusySeconds()));
    node.put("productionBatchP50Seconds", round(mode.batchSeconds(50)));
    node.put("productionBatchP95Seconds", round(mode.batchSeconds(95)));
    node.put("productionBaselineP50Seconds", round(mode.baselineSeconds()));
    node.put("productionBeforeP50Seconds", round(mode.beforeSeconds()));
    node.put("productionAfterP50Seconds", round(mode.afterSeconds()));
    node.put("productionBatchVsOwnBaseline", round(mode.batchVsOwnBaseline()));
    ContainerResourceUse use =
        new ContainerResourceUse(mode.runs().get(0).observations(), result.plan());
    node.put("productionUseOfReservation", round(use.productionShare()));
    bestEffort.put("useOfRequest", round(use.taskShare()));
    bestEffort.put("processors", round(use.bestEffortProcessors()));
    bestEffort.put("runningTasks", round(use.runningTasks()));
    putRounded(bestEffort, "slotsBesideReservations", mode.slots());
    putRounded(node, "memoryUtilization", mode.memoryUtilization());
    ObjectNode containers = node.putObject("containers");
    Optional<ContainerCounts> counts = mode.containers();
    putCount(containers, "launched", counts.map(ContainerCounts::launched));
    putCount(containers, "rejected", counts.map(ContainerCounts::rejected));
    putCount(containers, "shed", counts.map(ContainerCounts::shed));
    putCount(containers, "killed", counts.map(ContainerCounts::killed));
    putCount(containers, "preempted", counts.map(ContainerCounts::preempted));
    node.put("killer", mode.killer());
    putKills(node.putArray("kills"), mode);
    ArrayNode observed = node.putArray("runs");
    mode.runs().forEach(run -> observed.add(ObservationsJson.run(mapper, run)));
    return node;
  }

  static void putVerdicts(ArrayNode array, List<DemoVerdict> verdicts) {
    for (DemoVerdict verdict : verdicts) {
      ObjectNode node = array.addObject();
      node.put("name", verdict.name()).put("ok", verdict.ok());
      node.put("measured", round(verdict.measured())).put("limit", round(verdict.limit()));
      node.put("detail", verdict.detail());
    }
  }

  private static void putKills(ArrayNode kills, DemoModeSummary mode) {
    for (DemoRunResult run : mode.runs()) {
      for (Kill kill : run.nodes().kills()) {
        ObjectNode entry =
            kills.addObject().put("containerId", kill.containerId()).put("by", kill.by());
        putRounded(entry, "decisionToLastSignalMillis", kill.lastSignalMillis());
        putRounded(entry, "decisionToFreedMillis", kill.freedMillis());
      }
    }
  }

  /**
   * Writes whole numbers without a fraction: the median of whole numbers is whole or ends in .5.
   */
  private static void putNumber(ObjectNode node, String field, double value) {
    if (value == Math.rint(value)) {
      node.put(field, (long) value);
    } else {
      node.put(field, value);
    }
  }

  private static void putCount(ObjectNode node, String field, Optional<Long> value) {
    if (value.isPresent()) {
      node.put(field, value.get());
    } else {
      node.putNull(field);
    }
  }

  /** Rounds to three decimals; null for a value that was not measured. */
  private static Double round(double value) {
    return Double.isFinite(value) ? Math.round(value * 1000) / 1000.0 : null;
  }
}
