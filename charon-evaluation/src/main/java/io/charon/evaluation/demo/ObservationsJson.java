/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static io.charon.evaluation.report.ReportNumbers.putRounded;
import static io.charon.evaluation.report.ReportNumbers.rounded;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Writes the input of a simulation of the demo as JSON: the workload, and the observations of each
 * run.
 */
final class ObservationsJson {
  private static final double BYTES_PER_MEBIBYTE = 1 << 20;

  private ObservationsJson() {}

  /** Returns the sizes and limits of the workload. */
  static ObjectNode workload(ObjectMapper mapper, WorkloadPlan plan) {
    return mapper
        .createObjectNode()
        .put("kind", plan.kind().label())
        .put("nodes", plan.nodes())
        .put("nodeMemoryMb", plan.nodeMemoryMb())
        .put("nodeManagerMemoryMb", plan.nodeManagerMemoryMb())
        .put("productionTaskMb", plan.productionTaskMb())
        .put("productionMasterMb", WorkloadPlan.PRODUCTION_MASTER_MB)
        .put("bestEffortTaskMb", plan.bestEffortTaskMb())
        .put("bestEffortMasterMb", WorkloadPlan.BEST_EFFORT_MASTER_MB)
        .put("parallelBestEffortJobs", WorkloadPlan.PARALLEL_BEST_EFFORT_JOBS)
        .put("queueLimit", WorkloadPlan.QUEUE_LIMIT)
        .put("outgrowing", plan.outgrowing());
  }

  /** Returns jobs, containers and processor use of one run. */
  static ObjectNode run(ObjectMapper mapper, DemoRunResult result) {
    Observations seen = result.observations();
    ObjectNode node = mapper.createObjectNode();
    node.set("production", job(mapper, seen.production()));
    node.set("jobs", jobs(mapper, seen.jobs()));
    node.set("calibration", jobs(mapper, seen.calibration()));
    seen.machine()
        .ifPresentOrElse(
            load -> node.set("machine", machine(mapper, load)), () -> node.putNull("machine"));
    putRounded(node, "memoryUtilization", result.memory().utilization());
    ArrayNode containers = node.putArray("containers");
    seen.containers().forEach(trace -> containers.add(container(mapper, trace)));
    ArrayNode regulators = node.putArray("regulators");
    seen.regulators().forEach(trace -> regulators.add(regulator(mapper, trace)));
    return node;
  }

  private static ArrayNode jobs(ObjectMapper mapper, List<Observations.JobTimes> jobs) {
    ArrayNode array = mapper.createArrayNode();
    jobs.forEach(job -> array.add(job(mapper, job)));
    return array;
  }

  private static ObjectNode job(ObjectMapper mapper, Observations.JobTimes job) {
    ObjectNode node =
        mapper
            .createObjectNode()
            .put("kind", job.kind())
            .put("application", job.application())
            .put("submittedSeconds", rounded(job.submittedSeconds()));
    putRounded(node, "finishedSeconds", job.finishedSeconds());
    return node;
  }

  private static ObjectNode machine(ObjectMapper mapper, MachineLoad load) {
    return mapper
        .createObjectNode()
        .put("processors", load.processors())
        .put("seconds", rounded(load.seconds()))
        .put("busySeconds", rounded(load.busySeconds()))
        .put("stolenSeconds", rounded(load.stolenSeconds()))
        .put("containersSeconds", rounded(load.containersSeconds()));
  }

  private static ObjectNode container(ObjectMapper mapper, ContainerTrace trace) {
    ObjectNode node =
        mapper
            .createObjectNode()
            .put("id", trace.address().id())
            .put("application", trace.address().application())
            .put("node", trace.address().node())
            .put("role", trace.role().name())
            .put("startSeconds", rounded(trace.startSeconds()))
            .put("endSeconds", rounded(trace.endSeconds()))
            .put("ended", trace.ended());
    ArrayNode points = node.putArray("points");
    for (ContainerTrace.Point point : trace.points()) {
      points
          .addArray()
          .add(rounded(point.seconds()))
          .add(rounded(point.bytes() / BYTES_PER_MEBIBYTE))
          .add(rounded(point.processorSeconds()));
    }
    return node;
  }

  private static ObjectNode regulator(ObjectMapper mapper, RegulatorTrace trace) {
    ObjectNode node =
        mapper
            .createObjectNode()
            .put("node", trace.node())
            .put("name", trace.name())
            .put("signal", trace.signal())
            .put("limitUnit", trace.limitUnit());
    trace.lowestLimit().ifPresent(limit -> node.put("lowestLimit", rounded(limit)));
    trace.highestLimit().ifPresent(limit -> node.put("highestLimit", rounded(limit)));
    ObjectNode causes = node.putObject("secondsByCause");
    trace.secondsByCause().forEach(causes::put);
    return node.put("last", trace.last());
  }
}
