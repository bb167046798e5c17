/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.json.JsonOutput;
import io.charon.sls.run.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Writes the comparison as JSON. Fields may be added but are never removed; shares are 0 to 1. */
public final class BurstJson {
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Writes the file completely or not at all.
   *
   * @param rows rows of all loads and variants
   * @param seconds measured seconds of virtual time
   * @param highUse share of the pool above which the shared pool lowered quotas
   * @throws IOException if the file cannot be written
   */
  public void write(List<BurstComparison.Row> rows, int seconds, double highUse, Path file)
      throws IOException {
    ObjectNode root = mapper.createObjectNode();
    root.put("applications", BurstSettings.APPLICATIONS);
    root.put("runInSeconds", BurstSettings.RUN_IN_SECONDS);
    root.put("seconds", seconds);
    root.put("poolHighUse", highUse);
    ArrayNode all = root.putArray("rows");
    rows.forEach(row -> all.add(of(row)));
    JsonOutput.write(root, file);
  }

  private ObjectNode of(BurstComparison.Row row) {
    ObjectNode node = mapper.createObjectNode();
    node.put("load", row.load());
    node.put("variant", row.variant().label());
    put(node, row, "meanDelayMillis", BurstOutcome::meanDelayMillis);
    put(node, row, "meanOfHighestDelaysMillis", BurstOutcome::meanOfHighestMillis);
    put(node, row, "highestUse", BurstOutcome::highestUse);
    put(node, row, "meanUse", BurstOutcome::meanUse);
    put(node, row, "throttledApplications", BurstOutcome::throttledApplications);
    put(node, row, "throttledPeriods", BurstOutcome::throttledPeriods);
    put(node, row, "meanQuota", BurstOutcome::meanQuota);
    return node;
  }

  private static void put(
      ObjectNode node,
      BurstComparison.Row row,
      String name,
      ToDoubleFunction<BurstOutcome> measure) {
    Estimate estimate = row.estimate(measure);
    ObjectNode value = node.putObject(name);
    value.put("mean", estimate.mean());
    if (Double.isFinite(estimate.halfWidth())) {
      value.put("halfWidth95", estimate.halfWidth());
    }
    ArrayNode seeds = value.putArray("seeds");
    row.outcomes().forEach(outcome -> seeds.add(measure.applyAsDouble(outcome)));
  }
}
