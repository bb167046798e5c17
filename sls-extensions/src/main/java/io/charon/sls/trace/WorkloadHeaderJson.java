/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.trace.WorkloadHeader.Counts;
import io.charon.sls.trace.WorkloadHeader.UsedOverRequested;
import java.util.ArrayList;
import java.util.List;

/** The header of a workload as one flat JSON object, in workload files and in results. */
public final class WorkloadHeaderJson {
  private static final String FORMAT = "charon-workload";
  private static final int VERSION = 1;

  private WorkloadHeaderJson() {}

  /** Returns the JSON of a header. */
  public static ObjectNode of(WorkloadHeader header) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("format", FORMAT);
    json.put("version", VERSION);
    json.put("nodes", header.nodes());
    json.put("nodeMemoryBytes", header.node().memoryBytes());
    json.put("nodeCores", header.node().cores());
    json.put("productionJobs", header.counts().productionJobs());
    json.put("bestEffortJobs", header.counts().bestEffortJobs());
    json.put("tasks", header.counts().tasks());
    json.put("usedOverRequested", header.usedOverRequested().all());
    json.put("productionUsedOverRequested", header.usedOverRequested().production());
    json.put("bestEffortUsedOverRequested", header.usedOverRequested().bestEffort());
    json.put("load", header.load());
    json.put("seed", header.seed());
    json.put("provenance", header.provenance());
    header.rules().forEach(json.putArray("rules")::add);
    return json;
  }

  /**
   * Returns the header of a JSON object.
   *
   * @throws IllegalArgumentException if it is not the header of this version's format; the message
   *     names the wrong value
   */
  static WorkloadHeader read(JsonNode json) {
    if (!json.path("format").asText().equals(FORMAT)) {
      throw new IllegalArgumentException("not a workload: the first line has no format " + FORMAT);
    }
    if (!json.path("version").equals(IntNode.valueOf(VERSION))) {
      throw new IllegalArgumentException(
          "version "
              + json.path("version").asText()
              + " of the format; this Charon reads version "
              + VERSION);
    }
    List<String> rules = new ArrayList<>();
    json.required("rules").forEach(rule -> rules.add(rule.asText()));
    return new WorkloadHeader(
        WorkloadNumbers.intOf(json, "nodes"),
        new TraceNodeSize(
            WorkloadNumbers.longOf(json, "nodeMemoryBytes"),
            WorkloadNumbers.intOf(json, "nodeCores")),
        new Counts(
            WorkloadNumbers.longOf(json, "productionJobs"),
            WorkloadNumbers.longOf(json, "bestEffortJobs"),
            WorkloadNumbers.longOf(json, "tasks")),
        new UsedOverRequested(
            WorkloadNumbers.doubleOf(json, "usedOverRequested"),
            WorkloadNumbers.doubleOf(json, "productionUsedOverRequested"),
            WorkloadNumbers.doubleOf(json, "bestEffortUsedOverRequested")),
        WorkloadNumbers.intOf(json, "load"),
        WorkloadNumbers.longOf(json, "seed"),
        json.required("provenance").asText(),
        rules);
  }
}
