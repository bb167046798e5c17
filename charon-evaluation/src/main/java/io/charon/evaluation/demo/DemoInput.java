/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The input of all runs and the expected results, computed in this process.
 *
 * @param files the input files
 * @param production the results that production must produce
 * @param jobs verifies the results of MapReduce jobs
 * @param tasks the results that paced tasks must produce
 * @param batch the processor time that production needs here for a part of the input
 */
record DemoInput(
    PreparedInput files,
    ProductionExpectation production,
    OutputVerifier jobs,
    TaskExpectation tasks,
    Duration batch) {

  static DemoInput prepare(
      Path sources, Path root, Path directory, int megabytes, int productionTasks)
      throws IOException, InterruptedException {
    PreparedInput files = PreparedInput.prepare(sources, root, directory, megabytes);
    return new DemoInput(
        files,
        new ProductionExpectation(files.text().parts()),
        new OutputVerifier(),
        new TaskExpectation(files.text().parts()),
        ProductionPace.measureBatch(files.text(), productionTasks));
  }

  InputText text() {
    return files.text();
  }

  /** Returns the MapReduce jobs of the stream. */
  List<BestEffortOrder> jobs(WorkloadPlan plan) {
    return BestEffortOrder.stream(
        text().parts(), WorkloadPlan.MAPS, plan.jobInterval(), plan.times().window());
  }

  /** Returns the paced tasks of the stream; none for the workload that is short of processors. */
  List<TaskOrder> tasks(WorkloadPlan plan) {
    return plan.kind() == WorkloadKind.MEMORY
        ? TaskOrder.stream(plan, text().parts().size())
        : List.of();
  }
}
