/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.cli.RMAdminCLI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node that is lost, or decommissioned by the operator, and that returns. */
@SharedNode(SharedNode.Settings.SOON_LOST)
class NodeLossIT {
  private static final int TASKS = 6;

  @Test
  @Tag("long")
  void whatRanOnALostNodeIsNeitherChargedNorLeftWhenItReturns(TestNode node) throws Exception {
    HoldJob job = node.submit(TASKS, 0);
    Set<String> before = awaitRunning(node);

    node.cluster().killNodeManager(0);
    awaitState(node, NodeState.LOST);
    node.cluster().startNodeManager(0);
    awaitState(node, NodeState.RUNNING);

    awaitReplaced(node, before);
    job.endsWell();
  }

  @Test
  @Tag("long")
  void aDecommissionedNodeEndsItsContainersAndStartsEmptyWhenItIsTakenBack(TestNode node)
      throws Exception {
    HoldJob job = node.submit(TASKS, 0);
    Set<String> before = awaitRunning(node);

    refresh(node, node.cluster().nodes().get(0).hostName());
    awaitState(node, NodeState.DECOMMISSIONED);
    long nodeManager = node.cluster().nodeManagerPid(0);
    await(
        "the NodeManager ends by itself",
        () -> !ProcessHandle.of(nodeManager).map(ProcessHandle::isAlive).orElse(false));
    assertThat(node.containerCgroups()).as("cgroups of containers").isEmpty();

    refresh(node, "");
    node.cluster().startNodeManager(0);
    awaitState(node, NodeState.RUNNING);

    awaitReplaced(node, before);
    job.endsWell();
  }

  private static Set<String> awaitRunning(TestNode node) throws Exception {
    await("tasks run", () -> node.runningBestEffort().size() >= 3);
    return node.runningBestEffort();
  }

  /**
   * Waits until the containers from before, which the ResourceManager has given up, are replaced.
   */
  private static void awaitReplaced(TestNode node, Set<String> before) throws Exception {
    await(
        "containers of before have ended and others run",
        () -> {
          Set<String> running = node.runningBestEffort();
          return !running.isEmpty() && running.stream().noneMatch(before::contains);
        });
    Set<String> left = new TreeSet<>(node.containerCgroups());
    left.retainAll(before);
    assertThat(left).as("cgroups of containers of before").isEmpty();
  }

  private static void refresh(TestNode node, String hosts) throws Exception {
    Files.writeString(node.state().resolve(TestNode.EXCLUDED), hosts + System.lineSeparator());
    RMAdminCLI administration = new RMAdminCLI(node.cluster().clientConfiguration());
    assertThat(administration.run(new String[] {"-refreshNodes"})).isZero();
  }

  private static void awaitState(TestNode node, NodeState state) throws Exception {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(node.cluster().clientConfiguration());
      yarn.start();
      await(
          "the node is " + state,
          () -> {
            try {
              return yarn.getNodeReports(state).stream()
                  .map(NodeReport::getNodeState)
                  .anyMatch(state::equals);
            } catch (IOException e) {
              return false;
            }
          });
    }
  }
}
