/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A NodeManager that is killed and restarted while best-effort containers run and wait. */
@WritableCgroups
class DropInRestartIT {
  @ParameterizedTest
  @Tag("must-never")
  @ValueSource(booleans = {false, true})
  void findsItsContainersAgain(boolean charonNodeManager) throws Exception {
    try (TestNode node =
        charonNodeManager
            ? TestNode.startCharonNodeManager("enforce", Map.of())
            : TestNode.start("enforce", Map.of())) {
      HoldJob job = node.submit(10, 0);
      await("tasks run", () -> node.started().size() >= 5);
      await("tasks wait", () -> !node.queued().isEmpty());
      await(
          "all that run have started",
          () -> node.started().size() == node.runningBestEffort().size());
      Set<String> runningBefore = node.runningBestEffort();
      Set<String> queuedBefore = node.queued();

      node.cluster().killNodeManager(0);
      node.cluster().startNodeManager(0);
      await(
          "running containers are watched again",
          () -> node.runningBestEffort().containsAll(runningBefore));
      await("nothing that waited is lost", () -> known(node).containsAll(queuedBefore));

      assertThat(node.bestEffort())
          .allSatisfy(
              container ->
                  assertThat(container.path("expectedPeakBytes").asLong())
                      .as("charge of " + container.path("containerId").asText())
                      .isEqualTo(HoldJob.TASK_MEBIBYTES * 1024L * 1024));
      job.endsWithoutLoss();
      assertThat(node.log())
          .as("those that waited find their files")
          .doesNotContain("Exception from container-launch");
      assertThat(node.counter("rejected")).as("recovered containers are not refused").isZero();
      node.awaitNothingLeft();
    }
  }

  private static Set<String> known(TestNode node) throws InterruptedException {
    Set<String> known = new TreeSet<>(node.queued());
    known.addAll(node.runningBestEffort());
    return known;
  }
}
