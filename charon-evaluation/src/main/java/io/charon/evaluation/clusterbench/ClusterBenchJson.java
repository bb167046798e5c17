/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import static io.charon.evaluation.report.ReportNumbers.put;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.clusterbench.ClusterTargets.ClusterTarget;
import java.util.List;

/** Writes the result as JSON; values that do not apply are null. */
final class ClusterBenchJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ClusterBenchJson() {}

  static ObjectNode of(ClusterResult result) {
    ObjectNode json = MAPPER.createObjectNode();
    ClusterOptions options = result.options();
    ArrayNode scenarios = json.putArray("scenarios");
    ArrayNode targets = json.putArray("targets");
    for (ProductionComparison comparison : result.comparisons()) {
      for (ClusterScenarioSummary summary : comparison.summaries()) {
        scenario(scenarios.addObject(), comparison, summary, options);
      }
    }
    for (ClusterTarget target : result.targets()) {
      targets
          .addObject()
          .put("name", target.name())
          .put("measured", target.measured())
          .put("met", target.met());
    }
    json.put("horizonSeconds", options.horizon().toSeconds());
    json.put("bestEffort", options.bestEffort().label());
    if (options.bestEffort() == BestEffortKind.TASKS) {
      ClusterPlan plan = new ClusterPlan(options.horizon());
      ObjectNode demand = json.putObject("bestEffortMemoryDemand");
      options.loads().forEach(load -> demand.put("X" + load, plan.taskDemand(load)));
    }
    json.put("quick", options.quick());
    json.put("nodes", ClusterPlan.NODES);
    json.put("nodeMemoryMegabytes", ClusterPlan.NODE_MEMORY_MB);
    json.put("productionReservedShare", ClusterPlan.productionReservedShare());
    ArrayNode remarks = json.putArray("remarks");
    result.missing().forEach(remarks::add);
    json.put("hadoop", result.hadoop());
    json.put("kernel", result.kernel());
    json.put("processors", result.processors());
    json.put("seconds", result.seconds());
    return json;
  }

  private static void scenario(
      ObjectNode json,
      ProductionComparison comparison,
      ClusterScenarioSummary summary,
      ClusterOptions options) {
    json.put("production", summary.production().label());
    json.put("mode", summary.mode().label());
    json.put("placement", options.placement().label());
    json.put("load", summary.load() == 0 ? null : Integer.valueOf(summary.load()));
    json.put("repetitions", summary.runs().size());
    put(json, "productionP50VsAlone", summary.ratios().p50());
    put(json, "productionP90VsAlone", summary.ratios().p90());
    put(json, "serviceThroughputVsAlone", summary.ratios().throughput());
    put(json, "serviceP50VsAlone", summary.ratios().latencyP50());
    put(json, "serviceP99VsAlone", summary.ratios().latencyP99());
    summary
        .latencyP99VsStockYarn()
        .ifPresentOrElse(
            ratio ->
                json.putObject("serviceP99VsStockYarn")
                    .put("ratio", ratio.ratio())
                    .put("low95", ratio.low95())
                    .put("high95", ratio.high95()),
            () -> json.putNull("serviceP99VsStockYarn"));
    put(json, "aaSpread", comparison.aaSpread());
    put(json, "aaSpreadOfServiceP99", comparison.aaSpreadOfServiceP99());
    put(json, "productionP50Seconds", summary.median(run -> run.productionPercentile(50)));
    put(json, "productionP90Seconds", summary.median(run -> run.productionPercentile(90)));
    put(json, "productionJobSeconds", summary.median(ClusterRunMeasurement::productionJobSeconds));
    put(json, "servicePerSecond", summary.median(ClusterRunMeasurement::throughput));
    put(json, "serviceP50Millis", summary.median(run -> run.latencyMillis(50)));
    put(json, "serviceP99Millis", summary.median(run -> run.latencyMillis(99)));
    json.put("productionSamples", summary.productionSamples());
    if (summary.mode().runsBestEffort()) {
      bestEffort(json, summary, options);
    } else {
      for (String field :
          List.of("bestEffort", "kills", "refused", "failedAttempts", "lostWorkSeconds")) {
        json.putNull(field);
      }
    }
    put(json, "memoryUtilization", summary.median(run -> run.nodes().memoryUtilization()));
    put(json, "processors", summary.median(run -> run.nodes().processors()));
    put(json, "containerProcessors", summary.median(run -> run.nodes().containerProcessors()));
    json.put("killer", summary.runs().get(0).nodes().killer());
    ArrayNode problems = json.putArray("problems");
    summary.runs().forEach(run -> run.problems().forEach(problems::add));
  }

  private static void bestEffort(
      ObjectNode json, ClusterScenarioSummary summary, ClusterOptions options) {
    ObjectNode bestEffort = json.putObject("bestEffort");
    bestEffort.put("submitted", summary.submitted());
    bestEffort.put("completed", summary.completed());
    bestEffort.put("tasks", summary.sum(jobs -> jobs.outcome().tasks()));
    put(bestEffort, "completionRate", summary.completionRate());
    bestEffort.put(
        "completedPerMinute",
        summary.completed() * 60.0 / (summary.runs().size() * options.horizon().toSeconds()));
    put(bestEffort, "p50Seconds", summary.completionSeconds(50));
    put(bestEffort, "p95Seconds", summary.completionSeconds(95));
    put(bestEffort, "p99Seconds", summary.completionSeconds(99));
    json.put("kills", summary.sum(BestEffortMeasurement::kills));
    json.put("refused", summary.sum(BestEffortMeasurement::refused));
    json.put("failedAttempts", summary.sum(jobs -> jobs.outcome().failedAttempts()));
    json.put("lostWorkSeconds", summary.lostWorkSeconds());
  }
}
