/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.apache.hadoop.mapreduce.JobCounter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A NodeManager that is killed while best-effort containers run and wait, and comes back. */
@WritableCgroups
class DropInRestartIT {
  /** A task with this much has come past YARN's launch steps, which no restart resumes. */
  private static final long STARTED_BYTES = 32L * 1024 * 1024;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void findsItsContainersAgain(boolean charonNodeManager) throws Exception {
    try (TestNode node =
        charonNodeManager
            ? TestNode.startCharonNodeManager("charon", Map.of())
            : TestNode.start("charon", Map.of())) {
      HoldJob job = node.submit(10, 0);
      await("tasks run", () -> started(node) >= 5);
      await("tasks wait", () -> !node.queued().isEmpty());
      await("all that run have started", () -> started(node) == node.runningBestEffort().size());
      Set<String> runningBefore = node.runningBestEffort();
      Set<String> queuedBefore = node.queued();

      node.cluster().killNodeManager(0);
      node.cluster().startNodeManager(0);
      await("the node answers", () -> !node.status().isMissingNode());
      await(
          "running containers are watched again",
          () -> node.runningBestEffort().containsAll(runningBefore));
      await("nothing that waited is lost", () -> known(node).containsAll(queuedBefore));

      assertThat(bestEffort(node))
          .allSatisfy(
              container ->
                  assertThat(container.path("expectedPeakBytes").asLong())
                      .as("charge of " + container.path("containerId").asText())
                      .isEqualTo(HoldJob.TASK_MEBIBYTES * 1024L * 1024));
      assertThat(job.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
      assertThat(job.counter(JobCounter.NUM_KILLED_MAPS)).isZero();

      job.release();
      await("the job ends", job::isComplete);
      assertThat(job.isSuccessful()).isTrue();
      assertThat(node.counter("rejected")).as("recovered containers are not refused").isZero();
      node.awaitNothingLeft();
    }
  }

  private static long started(TestNode node) throws InterruptedException {
    return bestEffort(node).stream()
        .filter(container -> container.path("workingSetBytes").asLong() > STARTED_BYTES)
        .count();
  }

  private static List<JsonNode> bestEffort(TestNode node) throws InterruptedException {
    return StreamSupport.stream(node.status().path("running").spliterator(), false)
        .filter(container -> container.path("executionType").asText().equals("opportunistic"))
        .toList();
  }

  private static Set<String> known(TestNode node) throws InterruptedException {
    Set<String> known = new TreeSet<>(node.queued());
    known.addAll(node.runningBestEffort());
    return known;
  }
}
