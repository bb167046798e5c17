/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.machine.NativeTools;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eviction above a memory line in a real NodeManager of 512 MB, where nothing else kills. */
@Tag("long")
@Tag("pressure")
@WritableCgroups
class EvictionIT {
  private static final int NODE = 512;
  private static final String CHARON = "yarn.nodemanager.charon.";

  @TempDir private static Path state;
  private static NativeTools tools;
  private static TestNode node;

  private OwnMaster bestEffort;

  @BeforeAll
  static void start() throws Exception {
    tools = NativeTools.of(Path.of("").toAbsolutePath().getParent());
    node =
        TestNode.startWithProduction(
            NODE,
            Map.of(
                CHARON + "evict-line.mode", "off",
                CHARON + "evict-line.line-percent", "50",
                CHARON + "evict-line.lower-percent", "48",
                CHARON + "memory-limit.mode", "off",
                CHARON + "killer.threshold-percent", "0",
                CHARON + "killer.kernel.enabled", "false"),
            state);
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  @BeforeEach
  void begin() throws Exception {
    node.begin();
    bestEffort = new OwnMaster(node.cluster().clientConfiguration());
  }

  @AfterEach
  void end() throws Exception {
    bestEffort.close();
    node.revertChanges();
    node.awaitNothingLeft();
  }

  private Container task(String first) throws Exception {
    Container task =
        bestEffort.run(first + "exec " + tools.workload() + " idle 90 >/dev/null 2>&1", 100);
    String id = task.getId().toString();
    await(id + " has its memory", () -> held(id) >= 90L << 20);
    return task;
  }

  private static long held(String id) throws Exception {
    return node.bestEffort()
        .filter(one -> one.path("containerId").asText().equals(id))
        .mapToLong(one -> one.path("workingSetBytes").asLong())
        .findFirst()
        .orElse(0);
  }

  private static List<String> results(Container container) throws Exception {
    return node.actions().stream()
        .filter(action -> action.path("regulator").asText().equals("evict-line"))
        .filter(action -> action.path("target").asText().equals(container.getId().toString()))
        .map(action -> action.path("result").asText())
        .toList();
  }

  @Test
  void theNewestIsEvictedAndItsApplicationIsToldThatItWasPreempted() throws Exception {
    Container oldest = task("");
    Container older = task("");
    Container newest = task("");
    node.change(Map.of("evict-line.mode", "enforce"));

    await("its ApplicationMaster is told", () -> bestEffort.ended(newest).isPresent());
    ContainerStatus status = bestEffort.ended(newest).orElseThrow();
    assertThat(status.getExitStatus()).isEqualTo(ContainerExitStatus.PREEMPTED);
    assertThat(status.getDiagnostics()).contains("Killed by eviction above a memory line: ");
    assertThat(results(newest)).containsExactly("applied: killed");
    assertThat(node.kills())
        .singleElement()
        .extracting((JsonNode kill) -> kill.path("by").asText())
        .isEqualTo("evict-line");
    for (Container survivor : List.of(oldest, older)) {
      assertThat(bestEffort.ended(survivor)).isEmpty();
    }
  }

  /** SIGTERM is ignored, and the NodeManager that would have killed is gone. */
  @Test
  void afterARestartWithinTheGraceItIsDecidedAnewAndTheContainerEndsAsPreempted() throws Exception {
    task("");
    task("");
    Container newest = task("trap '' TERM; ");
    node.change(
        Map.of(
            "evict-line.mode", "enforce",
            "eviction.memory-grace-ms", "4000"));
    await("it is asked to end", () -> !results(newest).isEmpty());
    assertThat(results(newest)).containsExactly("applied: asked to end within 4000 ms");
    node.cluster().killNodeManager(0);
    node.cluster().startNodeManager(0);

    await("its ApplicationMaster is told", () -> bestEffort.ended(newest).isPresent());
    assertThat(bestEffort.ended(newest).orElseThrow().getExitStatus())
        .isEqualTo(ContainerExitStatus.PREEMPTED);
    assertThat(results(newest))
        .containsExactly(
            "applied: asked to end within 4000 ms",
            "applied: asked to end within 4000 ms",
            "applied: killed, because it did not end in time");
  }
}
