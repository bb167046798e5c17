/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Freeze before kill in a real NodeManager, on this machine's kernel. */
@Tag("pressure")
@SharedNode(SharedNode.Settings.NO_KILLER)
class FreezeIT {
  /** Command of a container: it allocates memory and wakes up every 100 ms. */
  private static final String WORKER =
      "head -c 67108864 /dev/zero | tail -c 67108864 | while :; do sleep 0.1; done";

  /** Settings with which {@link ProductionProcess} freezes the newest container. */
  private static Map<String, String> freezing(String limitMillis) {
    return Map.of(
        "freeze.mode", "enforce",
        "freeze.threshold-percent", "40",
        "freeze.thaw-percent", "50",
        "freeze.timeout-ms", limitMillis);
  }

  @Test
  void theNewestStandsStillWhileProductionNeedsItsMemoryAndThenEndsWell(TestNode node)
      throws Exception {
    node.change(freezing("170000"));
    HoldJob job = node.submit(2, 0);
    await("two best-effort tasks run", () -> node.started().size() == 2);
    String newest = node.newest();

    ProductionProcess production = new ProductionProcess(node);
    try {
      await("one is frozen", () -> !frozen(node).isEmpty());
      await("the audit says so", () -> !freezes(node).isEmpty());
      JsonNode first = freezes(node).get(0);
      assertThat(first.path("action").asText()).isEqualTo("freeze");
      assertThat(first.path("target").asText()).isEqualTo(newest);
      Path cgroup = node.memoryCgroup().resolve("best-effort/" + newest);
      await("its threads stand still", () -> Threads.areStalled(cgroup));
      assertThat(node.status().path("snapshotBytes").asLong(-1)).isZero();
      assertThat(production.isAlive()).as("wrong death: production").isTrue();
    } finally {
      production.end();
    }

    await("all go on", () -> frozen(node).isEmpty());
    await(
        "the audit says so",
        () ->
            freezes(node).stream()
                .anyMatch(action -> action.path("action").asText().equals("thaw")));
    assertThat(node.kills()).as("wrong death: a kill").isEmpty();
    job.endsWithoutLoss();
  }

  @Test
  @Tag("long")
  void aContainerFrozenForTooLongIsKilledAndItsJobLearnsWhy(TestNode node) throws Exception {
    node.change(freezing("1000"));
    long killed = node.counter("killed");
    HoldJob job = node.submit(1, 0);
    await("a best-effort task runs", () -> node.started().size() == 1);
    String victim = node.newest();

    ProductionProcess production = new ProductionProcess(node);
    try {
      await("it is killed", () -> !node.kills().isEmpty());
      JsonNode kill = node.kills().get(0);
      assertThat(kill.path("containerId").asText()).isEqualTo(victim);
      assertThat(kill.path("by").asText()).isEqualTo("freeze");
      assertThat(kill.path("reason").asText()).contains("limit 1000 ms");
      await("it is gone", () -> !node.containerCgroups().contains(victim));
      await("it counts as killed for memory", () -> node.counter("killed") > killed);
      assertThat(production.isAlive()).isTrue();
    } finally {
      production.end();
    }

    job.endsWell();
    assertThat(node.actions())
        .anyMatch(
            action ->
                action.path("action").asText().equals("kill")
                    && action.path("target").asText().equals(victim)
                    && action.path("result").asText().startsWith("applied"));
  }

  @Test
  @Tag("must-never")
  void whatAKilledNodeManagerLeftFrozenGoesOnWhenItComesBack(TestNode node) throws Exception {
    node.change(freezing("170000"));
    HoldJob job = node.submit(1, 0);
    await("a best-effort task runs", () -> node.started().size() == 1);
    Path cgroup = node.memoryCgroup().resolve("best-effort/" + node.newest());
    ProductionProcess production = new ProductionProcess(node);
    try {
      await("it is frozen", () -> !frozen(node).isEmpty());
      await("its threads stand still", () -> Threads.areStalled(cgroup));
      node.cluster().killNodeManager(0);
      assertThat(Threads.areStalled(cgroup)).isTrue();
    } finally {
      production.end();
    }

    node.cluster().startNodeManager(0);
    await("it goes on", () -> !Threads.areStalled(cgroup));
    assertThat(frozen(node)).isEmpty();
    job.endsWithoutLoss();
  }

  @Test
  @Tag("long")
  void aContainerPromotedWhileFrozenIsThawed(TestNode node) throws Exception {
    node.change(freezing("170000"));
    try (OwnMaster master = new OwnMaster(node.cluster().clientConfiguration())) {
      Container container = master.run(WORKER);
      String id = container.getId().toString();
      await("it runs", () -> node.started().size() == 1);
      ProductionProcess production = new ProductionProcess(node);
      try {
        await("it is frozen", () -> !frozen(node).isEmpty());
        Path frozen = node.memoryCgroup().resolve("best-effort/" + id);
        await("its threads stand still", () -> Threads.areStalled(frozen));
        assertThat(Threads.ioClasses(frozen)).isNotEmpty().containsOnly("idle");

        master.promote(container);

        Path cgroup = node.memoryCgroup().resolve("production/" + id);
        await("it is production", () -> Files.isDirectory(cgroup));
        await("it goes on", () -> !Threads.areStalled(cgroup));
        await(
            "the disk serves it as everybody",
            () ->
                !Threads.ioClasses(cgroup).isEmpty()
                    && !Threads.ioClasses(cgroup).contains("idle"));
        assertThat(frozen(node)).isEmpty();
        assertThat(production.isAlive()).isTrue();
      } finally {
        production.end();
      }
      assertThat(node.kills()).isEmpty();
    }
  }

  /**
   * Returns the lines of freeze before kill in the audit, oldest first; launches have lines as
   * well.
   */
  private static List<JsonNode> freezes(TestNode node) throws IOException {
    return node.actions().stream()
        .filter(action -> action.path("regulator").asText().equals("freeze"))
        .toList();
  }

  private static JsonNode frozen(TestNode node) throws InterruptedException {
    return node.status().path("freeze").path("frozen");
  }
}
