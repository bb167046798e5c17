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
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The full entry point, CharonNodeManager, on a real cluster that places containers by the queue
 * wait that it reports.
 */
class CharonNodeManagerIT {
  private static final int MORE_THAN_RUN_AND_WAIT = 14;

  @Test
  void aSmallApplicationGetsItsShareOfANodeThatALargeOneFills() throws Exception {
    try (TestNode node =
        TestNode.startCharonNodeManager(
            "enforce",
            Map.of(
                "yarn.nodemanager.charon.scheduler.queue-order", "fair-application",
                "yarn.resourcemanager.nm-container-queuing.load-comparator", "QUEUE_WAIT_TIME"))) {
      HoldJob large = node.submit(MORE_THAN_RUN_AND_WAIT, 0);
      await("the large application fills node and queue", () -> node.queued().size() >= 5);
      Set<String> ofLarge = applications(node.queued());
      assertThat(ofLarge).hasSize(1);

      HoldJob small = node.submit(2, 0);
      await(
          "the small application has a place in the full queue or runs",
          () ->
              !ofLarge.containsAll(applications(node.queued()))
                  || !ofLarge.containsAll(applications(node.runningBestEffort())));
      await("places were taken", () -> node.counter("rejected") > 0);

      large.release();
      small.release();
      await("the small application ends", small::isComplete);
      await("the large application ends", large::isComplete);
      assertThat(small.isSuccessful()).isTrue();
      assertThat(large.isSuccessful()).isTrue();
      node.awaitNothingLeft();
    }
  }

  private static Set<String> applications(Set<String> containers) {
    return containers.stream()
        .map(id -> id.replaceFirst("_\\d+_\\d+$", ""))
        .collect(Collectors.toSet());
  }
}
