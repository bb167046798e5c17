/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;

/**
 * What runs must have in common so that they can be compared.
 *
 * @param plan the workload; how slow the machine was does not count
 * @param modes the modes, in the order in which they run
 * @param input text that the jobs read
 * @param hadoopVersion version of the daemons
 * @param memoryLimits whether the nodes have memory limits
 * @param kernelKiller whether mode {@code charon} runs with the kernel UA killer
 */
record RunConditions(
    WorkloadPlan plan,
    List<DemoMode> modes,
    DemoOptions.Input input,
    String hadoopVersion,
    boolean memoryLimits,
    boolean kernelKiller) {
  /** Returns the conditions; those of runs that can be compared are the same text. */
  ObjectNode toJson(ObjectMapper mapper) {
    ObjectNode json =
        ObservationsJson.workload(mapper, plan)
            .put("baselineSeconds", plan.times().usualBaseline().toSeconds())
            .put("windowSeconds", plan.times().usualWindow().toSeconds())
            .put("shortestTaskSeconds", plan.times().usualShortestTask().toSeconds());
    ArrayNode labels = json.putArray("modes");
    modes.forEach(mode -> labels.add(mode.label()));
    return json.put(
            "input",
            input
                .text()
                .map(Path::toAbsolutePath)
                .map(Path::normalize)
                .map(Path::toString)
                .orElse("default"))
        .put("inputMegabytes", input.megabytes())
        .put("hadoopVersion", hadoopVersion)
        .put("memoryLimits", memoryLimits)
        .put("kernelKiller", kernelKiller);
  }
}
