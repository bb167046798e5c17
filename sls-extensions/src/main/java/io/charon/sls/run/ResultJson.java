/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import static io.charon.sls.json.JsonOutput.putFinite;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.engine.EventChecksum;
import io.charon.sls.json.JsonOutput;
import io.charon.sls.node.NodeSize;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.run.RunResult.Execution;
import io.charon.sls.run.RunResult.MemoryResult;
import io.charon.sls.trace.WorkloadHeaderJson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Writes the result as JSON. Fields may be added but are never removed. */
public final class ResultJson {
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Writes the file completely or not at all.
   *
   * @param file the file
   * @param context settings that the runs share
   * @param runs the runs
   * @param wallSeconds wall time of all runs together
   */
  public void write(Path file, ResultContext context, List<ComparedRun> runs, double wallSeconds)
      throws IOException {
    JsonOutput.write(of(context, runs, wallSeconds), file);
  }

  ObjectNode of(ResultContext context, List<ComparedRun> runs, double wallSeconds) {
    ObjectNode root = mapper.createObjectNode();
    root.put("description", context.description());
    root.put("command", context.command());
    root.set("workload", WorkloadHeaderJson.of(context.workloads().get(0)));
    ArrayNode workloads = root.putArray("workloads");
    context.workloads().forEach(workload -> workloads.add(WorkloadHeaderJson.of(workload)));
    root.set("settings", settings(context));
    ArrayNode array = root.putArray("runs");
    EventChecksum all = new EventChecksum();
    double horizon = 0;
    boolean partial = false;
    for (ComparedRun compared : runs) {
      RunResult run = compared.run();
      array.add(run(compared));
      all.add(run.execution().eventChecksum());
      horizon = Math.max(horizon, run.execution().horizonSeconds());
      partial |= run.execution().partial();
    }
    ArrayNode summaries = root.putArray("summary");
    Summary.of(runs.stream().map(MeasuredRun::of).toList())
        .forEach(summary -> summaries.add(summary(summary)));
    double virtual = ComparedRun.virtualSeconds(runs);
    putFinite(root, "horizonSeconds", horizon);
    putFinite(root, "virtualSeconds", virtual);
    putFinite(root, "wallSeconds", wallSeconds);
    putFinite(root, "virtualPerWallSecond", virtual / wallSeconds);
    root.put("eventChecksum", EventChecksum.hex(all.value()));
    root.put("partial", partial);
    return root;
  }

  private ObjectNode settings(ResultContext context) {
    ClusterSettings cluster = context.cluster();
    PolicySettings policies = context.policies();
    ObjectNode node = mapper.createObjectNode();
    NodeSize size = cluster.nodes().size();
    node.put("nodes", cluster.nodes().count());
    node.put("nodeCores", size.virtualCores());
    node.put("nodeMemoryBytes", size.memoryBytes());
    node.put("nodeSwapBytes", size.swapBytes());
    node.put("nodeLowWatermarkBytes", size.lowWatermarkBytes());
    node.put("queueLimit", cluster.nodes().queueLimit());
    node.put("placement", cluster.allocation().placement().name().toLowerCase(Locale.ROOT));
    node.put("fullQueues", cluster.allocation().fullQueues().name().toLowerCase(Locale.ROOT));
    cluster
        .retries()
        .bestEffortType()
        .ifPresent(type -> node.put("bestEffortType", type.name().toLowerCase(Locale.ROOT)));
    node.put("killsAsPreemptions", !cluster.retries().killsAreFailures());
    node.put("killDelays", policies.killDelays().name().toLowerCase(Locale.ROOT));
    putFinite(node, "launchSeconds", seconds(cluster.timing().launch()));
    putFinite(node, "taskStartSeconds", seconds(cluster.timing().taskStart().time()));
    putFinite(node, "taskStartCores", cluster.timing().taskStart().cores());
    putFinite(node, "heartbeatSeconds", seconds(cluster.timing().heartbeat()));
    putFinite(node, "horizonAfterLastSubmissionSeconds", seconds(context.afterLastSubmission()));
    putFinite(node, "resyncSeconds", seconds(policies.launches().resync()));
    putFinite(node, "delaySeconds", seconds(policies.launches().delay()));
    putFinite(node, "toleranceSeconds", seconds(policies.tolerance()));
    node.put("policyRevision", PolicySettings.REVISION);
    node.put("thresholdPercent", policies.thresholdPercent());
    node.put("reservationPercent", policies.reservationPercent());
    node.put("profileSamples", policies.peaks().samples());
    node.put("profilePercentile", policies.peaks().percentile());
    putFinite(node, "killsPerHour", policies.launches().killsPerHour());
    return node;
  }

  private ObjectNode summary(Summary summary) {
    ObjectNode node = mapper.createObjectNode();
    node.put("policy", summary.cell().policy());
    node.put("load", summary.cell().load());
    node.put("seeds", summary.seeds());
    for (Measure measure : Measure.values()) {
      Estimate estimate = summary.of(measure);
      ObjectNode value = node.putObject(measure.key());
      putFinite(value, "mean", estimate.mean());
      putFinite(value, "low95", estimate.low());
      putFinite(value, "high95", estimate.high());
    }
    return node;
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  private ObjectNode run(ComparedRun compared) {
    RunResult run = compared.run();
    ObjectNode node = mapper.createObjectNode();
    node.put("policy", run.settings().policy().key());
    node.put("load", run.settings().load());
    node.put("seed", run.settings().seed());
    ObjectNode bestEffort = side(run.bestEffort());
    for (int percent : new int[] {50, 90, 99}) {
      putFinite(bestEffort, "p" + percent + "Seconds", run.bestEffort().percentileSeconds(percent));
    }
    node.set("bestEffort", bestEffort);
    ObjectNode production = side(run.production());
    for (int percent : new int[] {50, 90}) {
      putFinite(
          production, "p" + percent + "SlowdownVsAlone", compared.productionSlowdown(percent));
    }
    node.set("production", production);
    put(node, run.disruptions());
    put(node, run.memory());
    put(node, run.execution());
    return node;
  }

  private static void put(ObjectNode node, Disruptions disruptions) {
    ObjectNode kills = node.putObject("killsByCause");
    disruptions.killsByCause().forEach(kills::put);
    node.put("moves", disruptions.moves());
    node.put("rejections", disruptions.rejections());
    node.put("handedBack", disruptions.handedBack());
    putFinite(node, "lostWorkSeconds", disruptions.lostWorkSeconds());
  }

  private static void put(ObjectNode node, MemoryResult memory) {
    putFinite(node, "memoryUtilization", memory.utilization());
    putFinite(node, "usedOverRequested", memory.usedOverRequested());
    putFinite(node, "productionUsedOverAllocated", memory.productionUsedOverAllocated());
  }

  private static void put(ObjectNode node, Execution execution) {
    putFinite(node, "virtualSeconds", execution.virtualSeconds());
    node.put("events", execution.events());
    node.put("eventChecksum", EventChecksum.hex(execution.eventChecksum()));
    node.put("partial", execution.partial());
  }

  private ObjectNode side(SideResult side) {
    ObjectNode node = mapper.createObjectNode();
    node.put("submitted", side.submitted());
    node.put("completed", side.completed());
    node.put("failed", side.failed());
    node.put("unfinished", side.unfinished());
    putFinite(node, "completionRate", side.completionRate());
    return node;
  }
}
