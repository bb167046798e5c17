/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import static io.charon.evaluation.report.ReportNumbers.putRounded;
import static io.charon.evaluation.report.ReportNumbers.rounded;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.json.JsonOutput;
import io.charon.sls.workload.TaskGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes a comparison as JSON; values that were not measured or have no meaning are null. */
public final class ComparisonJson {
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Writes a file and creates its directory if necessary.
   *
   * @throws IOException if it cannot be written
   */
  public void write(SimulationComparison comparison, Path file) throws IOException {
    JsonOutput.write(toJson(comparison), file);
  }

  ObjectNode toJson(SimulationComparison comparison) {
    ObjectNode root = mapper.createObjectNode();
    root.set("calibration", calibration(comparison.calibration()));
    ObjectNode cores = root.putObject("cores");
    comparison.cores().forEach((mode, number) -> cores.put(mode, rounded(number)));
    ObjectNode modes = root.putObject("modes");
    comparison
        .modes()
        .forEach(
            (mode, numbers) -> {
              ArrayNode array = modes.putArray(mode);
              numbers.forEach(number -> array.add(number(number)));
            });
    return root;
  }

  private ObjectNode calibration(SimulationInputs calibration) {
    ClusterSettings cluster = calibration.cluster();
    ObjectNode node = mapper.createObjectNode();
    node.putObject("applicationMaster")
        .put("usedBytes", cluster.master().usedBytes())
        .put("startSeconds", rounded(cluster.master().start().toNanos() / 1e9))
        .put("startCores", rounded(cluster.master().startCores()))
        .put("usedCores", rounded(cluster.master().usedCores()))
        .put("endSeconds", rounded(cluster.master().end().toNanos() / 1e9));
    node.put("launchSeconds", rounded(cluster.timing().launch().toNanos() / 1e9));
    node.set("production", tasks(calibration.production()));
    ObjectNode kinds = node.putObject("bestEffort");
    calibration.bestEffort().forEach((kind, tasks) -> kinds.set(kind, tasks(tasks)));
    return node;
  }

  private ArrayNode tasks(List<TaskGroup> groups) {
    ArrayNode array = mapper.createArrayNode();
    for (TaskGroup group : groups) {
      array
          .addObject()
          .put("stage", group.stage())
          .put("seconds", group.durationMillis() / 1000.0)
          .put("usedCores", rounded(group.usedCores()))
          .put("peakBytes", group.memory().peakAnonymousBytes());
    }
    return array;
  }

  private ObjectNode number(ComparedNumber number) {
    ObjectNode node = mapper.createObjectNode().put("name", number.name().trim());
    node.put("unit", number.unit());
    putRounded(node, "measured", number.measured());
    putRounded(node, "simulatedMean", number.mean());
    putRounded(node, "simulatedLeast", number.min());
    putRounded(node, "simulatedMost", number.max());
    putRounded(node, "differencePercent", number.differencePercent());
    return node.put("calibrated", number.calibrated());
  }
}
