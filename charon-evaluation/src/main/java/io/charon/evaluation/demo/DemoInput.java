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
 * @param directory directory of the part files
 * @param text the part files
 * @param expectation what production must find in them
 * @param verifier checks what best-effort jobs found in them
 */
record DemoInput(
    Path directory, InputText text, ProductionExpectation expectation, OutputVerifier verifier) {

  static DemoInput prepare(Path sources, Path directory, int megabytes) throws IOException {
    InputText text =
        InputText.prepare(
            sources, directory, (long) megabytes << 20, megabytes / WorkloadPlan.INPUT_PART_MB);
    return new DemoInput(
        directory, text, new ProductionExpectation(text.parts()), new OutputVerifier());
  }

  List<ProductionTask> productionTasks(WorkloadPlan plan) {
    return DemoWorkload.productionTasks(plan, directory, text.parts().size());
  }

  List<BestEffortOrder> stream(WorkloadPlan plan) {
    return BestEffortOrder.stream(
        text.parts(), WorkloadPlan.MAPS, plan.jobInterval(), plan.window());
  }
}
