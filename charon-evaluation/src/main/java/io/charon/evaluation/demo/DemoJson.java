/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The demo's result as JSON. Fields may be added, none is taken away; what was not measured is
 * null, never 0.
 */
final class DemoJson {
  private final ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Writes the result to a file. */
  void write(DemoResult result, Path file) throws IOException {
    if (file.toAbsolutePath().getParent() != null) {
      Files.createDirectories(file.toAbsolutePath().getParent());
    }
    mapper.writeValue(file.toFile(), toJson(result));
  }

  ObjectNode toJson(DemoResult result) {
    ObjectNode root = mapper.createObjectNode();
    ObjectNode modes = root.putObject("modes");
    result.modes().forEach((mode, summary) -> modes.set(mode.label(), toJson(summary, result)));
    root.set("workload", ObservationsJson.workload(mapper, result.plan()));
    root.put("windowSeconds", result.plan().window().toMillis() / 1000.0);
    root.put("productionReservedFraction", round(result.plan().productionReservedFraction()));
    root.put("repeat", result.repeat());
    root.put("wordCountsMatch", result.wordCountsMatch());
    ArrayNode checks = root.putArray("checks");
    for (Check check : result.checks()) {
      checks
          .addObject()
          .put("name", check.name())
          .put("ok", check.ok())
          .put("detail", check.detail());
    }
    root.put("hadoopVersion", result.hadoopVersion());
    root.put("seconds", round(result.seconds()));
    return root;
  }

  private ObjectNode toJson(ModeSummary mode, DemoResult result) {
    ObjectNode node = mapper.createObjectNode();
    double minutes = result.plan().window().toMillis() / 60_000.0;
    ObjectNode bestEffort = node.putObject("bestEffort");
    putNumber(bestEffort, "submitted", mode.submitted());
    putNumber(bestEffort, "completed", mode.completed());
    putNumber(bestEffort, "failed", mode.failed());
    putNumber(bestEffort, "unfinished", mode.unfinished());
    putOptional(bestEffort, "p50Seconds", mode.completionSeconds(50));
    putOptional(bestEffort, "p95Seconds", mode.completionSeconds(95));
    bestEffort.put("completedPerMinute", round(mode.completed() / minutes));
    node.put("productionSeconds", round(mode.productionSeconds()));
    node.put("productionBusySeconds", round(mode.productionBusySeconds()));
    putOptional(node, "memoryUtilization", mode.memoryUtilization());
    ObjectNode containers = node.putObject("containers");
    Optional<ContainerCounts> counts = mode.containers();
    putCount(containers, "launched", counts.map(ContainerCounts::launched));
    putCount(containers, "rejected", counts.map(ContainerCounts::rejected));
    putCount(containers, "shed", counts.map(ContainerCounts::shed));
    putCount(containers, "killed", counts.map(ContainerCounts::killed));
    putCount(containers, "preempted", counts.map(ContainerCounts::preempted));
    node.put("killer", mode.killer());
    putKills(node.putArray("kills"), mode);
    ArrayNode runs = node.putArray("productionSecondsOfRuns");
    mode.runs().forEach(run -> runs.add(round(run.productionSeconds())));
    ArrayNode completed = node.putArray("completedOfRuns");
    mode.runs().forEach(run -> completed.add(run.count(JobOutcome.State.COMPLETED)));
    ArrayNode observed = node.putArray("runs");
    mode.runs().forEach(run -> observed.add(ObservationsJson.run(mapper, run)));
    return node;
  }

  private static void putKills(ArrayNode kills, ModeSummary mode) {
    for (RunResult run : mode.runs()) {
      for (Kill kill : run.kills()) {
        ObjectNode entry =
            kills.addObject().put("containerId", kill.containerId()).put("by", kill.by());
        putOptional(entry, "decisionToLastSignalMillis", kill.lastSignalMillis());
        putOptional(entry, "decisionToFreedMillis", kill.freedMillis());
      }
    }
  }

  /** A median of whole numbers is whole, or a half. */
  private static void putNumber(ObjectNode node, String field, double value) {
    if (value == Math.rint(value)) {
      node.put(field, (long) value);
    } else {
      node.put(field, value);
    }
  }

  private static void putOptional(ObjectNode node, String field, OptionalDouble value) {
    if (value.isPresent()) {
      node.put(field, round(value.getAsDouble()));
    } else {
      node.putNull(field);
    }
  }

  private static void putCount(ObjectNode node, String field, Optional<Long> value) {
    if (value.isPresent()) {
      node.put(field, value.get());
    } else {
      node.putNull(field);
    }
  }

  private static double round(double value) {
    return Double.isNaN(value) ? value : Math.round(value * 1000) / 1000.0;
  }
}
