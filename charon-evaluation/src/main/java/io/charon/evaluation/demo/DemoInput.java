/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The input of all runs, and what comes out of it when computed here.
 *
 * @param files the files themselves
 * @param production what production must find in them
 * @param jobs checks what MapReduce jobs found in them
 * @param tasks what paced tasks must find in them
 * @param pace how often production reads one of them
 */
record DemoInput(
    PreparedInput files,
    ProductionExpectation production,
    OutputVerifier jobs,
    TaskExpectation tasks,
    ProductionPace pace) {

  static DemoInput prepare(
      Path sources, Path root, Path directory, int megabytes, WorkloadPlan plan)
      throws IOException, InterruptedException {
    PreparedInput files = PreparedInput.prepare(sources, root, directory, megabytes);
    return new DemoInput(
        files,
        new ProductionExpectation(files.text().parts()),
        new OutputVerifier(),
        new TaskExpectation(files.text().parts()),
        ProductionPace.measure(files.text(), plan));
  }

  InputText text() {
    return files.text();
  }

  /** The MapReduce jobs of the stream. */
  List<BestEffortOrder> jobs(WorkloadPlan plan) {
    return BestEffortOrder.stream(
        text().parts(), WorkloadPlan.MAPS, plan.jobInterval(), plan.window());
  }

  /** The paced tasks of the stream; none where processors are what is short. */
  List<TaskOrder> tasks(WorkloadPlan plan) {
    return plan.kind() == WorkloadKind.MEMORY
        ? TaskOrder.stream(plan, text().parts().size())
        : List.of();
  }
}
