/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerReport;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.junit.jupiter.api.Test;

/** An unmodified Spark in a best-effort queue, on a node with Charon installed. */
@SharedNode(SharedNode.Settings.CHARON)
class SparkIT {

  @Test
  void executorsOfASparkJobInABestEffortQueueAreOpportunistic(TestNode node) throws Exception {
    try (SparkJob job = SparkJob.submit(node.cluster(), HoldJob.QUEUE)) {
      await(
          "all executors run in best-effort containers",
          () -> !job.isComplete() && node.runningBestEffort().size() == SparkJob.EXECUTORS);

      assertThat(SparkJob.EXECUTORS * SparkJob.EXECUTOR_MEBIBYTES)
          .as("MiB that the executors ask for, on a node that may reserve 1024")
          .isGreaterThan(TestNode.RESERVABLE_MEBIBYTES);
      List<ContainerReport> containers = job.containers();
      assertThat(containers)
          .filteredOn(container -> isMaster(container))
          .extracting(ContainerReport::getExecutionType)
          .containsExactly(ExecutionType.GUARANTEED);
      assertThat(containers)
          .filteredOn(container -> !isMaster(container))
          .hasSize(SparkJob.EXECUTORS)
          .extracting(ContainerReport::getExecutionType)
          .containsOnly(ExecutionType.OPPORTUNISTIC);

      job.release();
      await("the job ends", job::isComplete);
      assertThat(job.result())
          .isEqualTo(
              "{0=1000, 1=1000, 2=1000, 3=1000, 4=1000, 5=1000, 6=1000, 7=1000, 8=1000, 9=1000}");
    }
  }

  private static boolean isMaster(ContainerReport container) {
    return container.getContainerId().getContainerId() == 1;
  }
}
