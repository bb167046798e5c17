/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.AvoidedNodes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("hadoop")
class NodeAvoidanceTest {

  private static final int TEN_NODES = 10;

  private final AtomicLong nanos = new AtomicLong(-5);
  private final NodeAvoidance avoidance =
      new NodeAvoidance(() -> Duration.ofSeconds(10), nanos::get);
  private final AvoidedNodes avoided = new AvoidedNodes();
  private final Set<String> leftOut = new HashSet<>(Set.of("bad"));

  @Test
  void aNodeThatKilledIsLeftOutDuringCallsUntilItsTimeIsOver() {
    ended("host1", ExecutionType.OPPORTUNISTIC, ContainerExitStatus.PREEMPTED);
    nanos.addAndGet(Duration.ofMillis(9_999).toNanos());
    assertThat(leftOutDuringCall(TEN_NODES, null)).containsExactlyInAnyOrder("bad", "host1");
    nanos.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(leftOutDuringCall(TEN_NODES, null)).containsExactly("bad");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER,
        ContainerExitStatus.KILLED_EXCEEDED_PMEM,
        ContainerExitStatus.KILLED_EXCEEDED_VMEM
      })
  void rejectionAndLimitsOfMemoryCount(int exitStatus) {
    ended("host1", ExecutionType.OPPORTUNISTIC, exitStatus);
    assertThat(leftOutDuringCall(TEN_NODES, null)).contains("host1");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ContainerExitStatus.SUCCESS,
        1,
        137,
        ContainerExitStatus.KILLED_BY_APPMASTER,
        ContainerExitStatus.ABORTED
      })
  void otherEndsDoNot(int exitStatus) {
    ended("host1", ExecutionType.OPPORTUNISTIC, exitStatus);
    assertThat(leftOutDuringCall(TEN_NODES, null)).doesNotContain("host1");
  }

  @Test
  void guaranteedContainersDoNotCount() {
    ended("host1", ExecutionType.GUARANTEED, ContainerExitStatus.PREEMPTED);
    assertThat(leftOutDuringCall(TEN_NODES, null)).doesNotContain("host1");
  }

  @Test
  void atMostHalfOfTheNodesAreAvoidedTheLatestOnes() {
    for (String host : List.of("host1", "host2", "host3", "host4")) {
      ended(host, ExecutionType.OPPORTUNISTIC, ContainerExitStatus.PREEMPTED);
    }
    assertThat(leftOutDuringCall(4, null)).containsExactlyInAnyOrder("bad", "host3", "host4");
    assertThat(leftOutDuringCall(1, null)).containsExactly("bad");
  }

  @Test
  void theApplicationsOwnBlacklistStays() {
    ended("host1", ExecutionType.OPPORTUNISTIC, ContainerExitStatus.PREEMPTED);
    ended("bad", ExecutionType.OPPORTUNISTIC, ContainerExitStatus.PREEMPTED);
    leftOutDuringCall(TEN_NODES, ResourceBlacklistRequest.newInstance(List.of("host1"), List.of()));
    assertThat(leftOut).containsExactlyInAnyOrder("bad", "host1");
  }

  private void ended(String host, ExecutionType type, int exitStatus) {
    ContainerStatus status =
        ContainerStatus.newInstance(null, type, ContainerState.COMPLETE, "", exitStatus);
    avoidance.learn(avoided, Map.of(NodeId.newInstance(host, 1), List.of(status)), TEN_NODES);
  }

  private Set<String> leftOutDuringCall(int nodes, ResourceBlacklistRequest own) {
    Set<String> hosts = avoidance.leaveOut(avoided, leftOut, nodes);
    if (own != null) {
      leftOut.addAll(own.getBlacklistAdditions());
    }
    Set<String> seen = new HashSet<>(leftOut);
    avoidance.restore(hosts, leftOut, own);
    return seen;
  }
}
