/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.scheduler.cluster.ClusterStatus;
import io.charon.scheduler.cluster.NodeRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@Tag("hadoop")
@Tag("long")
class ClusterViewTest {

  @Test
  void bestEffortContainersReserveNothing() throws Exception {
    try (MockCluster cluster = MockCluster.start(MockCluster.configuration(), 2)) {
      MockApplication application = cluster.submit("batch", "alice");
      // The ApplicationMaster alone.
      long before = reserved(cluster);
      assertThat(before).isPositive();
      application.ask(3);
      application.await(3);
      assertThat(application.types()).containsExactly(ExecutionType.OPPORTUNISTIC);
      for (Container container : application.got) {
        cluster.running(container);
      }

      assertThat(reserved(cluster)).isEqualTo(before);
    }
  }

  @Test
  void aKillIsCountedOnceAtItsNodeHoweverOftenItsApplicationCalls() throws Exception {
    try (MockCluster cluster = MockCluster.start(MockCluster.configuration(), 2)) {
      MockApplication application = cluster.submit("batch", "alice");
      application.ask(2);
      application.await(2);
      Container killed = application.got.get(0);
      cluster.end(List.of(killed), ContainerExitStatus.PREEMPTED);
      cluster.end(
          List.of(application.got.get(1)), ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER);
      cluster.until(
          "the application hears of both",
          () -> {
            application.heartbeat();
            return application.ended.size() == 2;
          });
      cluster.settle(application);

      ClusterStatus status = view(cluster).status();

      assertThat(status.counted()).isPositive();
      for (NodeRow row : status.nodes()) {
        boolean here = row.node().equals(killed.getNodeId().toString());
        assertThat(row.bestEffort().killed()).hasValue(here ? 1 : 0);
      }
      assertThat(status.nodes().stream().mapToInt(row -> row.bestEffort().refused().getAsInt()))
          .satisfiesOnlyOnce(refused -> assertThat(refused).isEqualTo(1));
    }
  }

  @Test
  void showsWhatTheNodeTold() {
    RMNode node = node("host1", NodeState.RUNNING);
    when(node.getHttpPort()).thenReturn(8042);
    when(node.getHttpAddress()).thenReturn("host1:8042");
    when(node.getAggregatedContainersUtilization())
        .thenReturn(ResourceUtilization.newInstance(300, 9000, 1.5f));
    when(node.getNodeUtilization()).thenReturn(ResourceUtilization.newInstance(700, 9000, 2f));
    OpportunisticContainersStatus told = OpportunisticContainersStatus.newInstance();
    told.setRunningOpportContainers(40); // YARN's NodeManager forgets no promoted one
    told.setQueuedOpportContainers(2);
    told.setOpportMemoryUsed(3);
    told.setEstimatedQueueWaitTime(1500);
    when(node.getOpportunisticContainersStatus()).thenReturn(told);
    RMContext context = context(node);
    SchedulerNode live = live(6, 1);
    when(context.getScheduler().getSchedulerNode(id("host1"))).thenReturn(live);

    NodeRow row = new ClusterView(context).status().nodes().get(0);

    assertThat(row.node()).isEqualTo("host1:1");
    assertThat(row.state()).isEqualTo("RUNNING");
    assertThat(row.web()).contains("host1:8042");
    assertThat(row.health()).isEmpty();
    assertThat(row.memory().capacityMebibytes()).isEqualTo(1000);
    assertThat(row.memory().usedMebibytes()).hasValue(300);
    assertThat(row.memory().machineUsedMebibytes()).hasValue(700);
    assertThat(row.bestEffort().running()).isEqualTo(4);
    assertThat(row.bestEffort().queued()).isEqualTo(2);
    assertThat(row.bestEffort().requestedGibibytes()).isEqualTo(3);
    assertThat(row.bestEffort().waitMillis()).hasValue(1500);
  }

  @Test
  void aNodeThatHasToldNothingYetIsThereAllTheSame() {
    ClusterStatus status = new ClusterView(context(node("host1", NodeState.NEW))).status();

    NodeRow row = status.nodes().get(0);
    assertThat(row.memory().usedMebibytes()).isEmpty();
    assertThat(row.memory().machineUsedMebibytes()).isEmpty();
    assertThat(row.web()).isEmpty();
    assertThat(row.bestEffort().running()).isZero();
    assertThat(row.bestEffort().waitMillis()).isEmpty();
    assertThat(row.bestEffort().killed()).isEmpty();
    assertThat(status.counted()).isEqualTo(Duration.ZERO);
  }

  @Test
  void aNodeThatTakesNothingMoreTellsNoWait() {
    RMNode node = node("host1", NodeState.RUNNING);
    OpportunisticContainersStatus told = OpportunisticContainersStatus.newInstance();
    told.setEstimatedQueueWaitTime(-1);
    when(node.getOpportunisticContainersStatus()).thenReturn(told);

    assertThat(new ClusterView(context(node)).status().nodes().get(0).bestEffort().waitMillis())
        .isEmpty();
  }

  @Test
  void anUnhealthyNodeSaysWhyInBounds() {
    RMNode node = node("host1", NodeState.UNHEALTHY);
    when(node.getHealthReport()).thenReturn("x".repeat(100_000));

    Optional<String> health = new ClusterView(context(node)).status().nodes().get(0).health();

    assertThat(health).hasValueSatisfying(text -> assertThat(text).hasSize(200));
  }

  @Test
  void nodesAreInOrderLostOnesAreCountedAndTheSchemeFollowsThePolicy() {
    RMContext context = context(node("host2", NodeState.RUNNING), node("host1", NodeState.RUNNING));
    context.getInactiveRMNodes().put(id("a"), node("a", NodeState.LOST));
    context.getInactiveRMNodes().put(id("b"), node("b", NodeState.DECOMMISSIONED));

    ClusterStatus status = new ClusterView(context).status();
    assertThat(status.nodes()).extracting(NodeRow::node).containsExactly("host1:1", "host2:1");
    assertThat(status.lostNodes()).isEqualTo(1);
    assertThat(status.scheme()).isEqualTo("http");

    context.getYarnConfiguration().set(YarnConfiguration.YARN_HTTP_POLICY_KEY, "HTTPS_ONLY");
    assertThat(new ClusterView(context).status().scheme()).isEqualTo("https");
  }

  private static long reserved(MockCluster cluster) {
    return view(cluster).status().nodes().stream()
        .mapToLong(row -> row.memory().reservedMebibytes())
        .sum();
  }

  private static ClusterView view(MockCluster cluster) {
    return new ClusterView(cluster.resourceManager.getRMContext());
  }

  private static SchedulerNode live(int opportunistic, int guaranteed) {
    List<RMContainer> containers = new ArrayList<>();
    for (int i = 0; i < opportunistic + guaranteed; i++) {
      RMContainer container = mock(RMContainer.class);
      when(container.getExecutionType())
          .thenReturn(i < opportunistic ? ExecutionType.OPPORTUNISTIC : ExecutionType.GUARANTEED);
      containers.add(container);
    }
    SchedulerNode node = mock(SchedulerNode.class);
    when(node.getCopiedListOfRunningContainers()).thenReturn(containers);
    return node;
  }

  private static NodeId id(String host) {
    return NodeId.newInstance(host, 1);
  }

  private static RMNode node(String host, NodeState state) {
    RMNode node = mock(RMNode.class);
    when(node.getNodeID()).thenReturn(id(host));
    when(node.getState()).thenReturn(state);
    when(node.getTotalCapability()).thenReturn(Resource.newInstance(1000, 1));
    return node;
  }

  private static RMContext context(RMNode... nodes) {
    Map<NodeId, RMNode> active = new ConcurrentHashMap<>();
    for (RMNode node : nodes) {
      active.put(node.getNodeID(), node);
    }
    ResourceScheduler scheduler = mock(ResourceScheduler.class);
    when(scheduler.getNodeReport(any())).thenReturn(null);
    RMContext context = mock(RMContext.class);
    when(context.getRMNodes()).thenReturn(new ConcurrentHashMap<>(active));
    when(context.getInactiveRMNodes()).thenReturn(new ConcurrentHashMap<>());
    when(context.getScheduler()).thenReturn(scheduler);
    when(context.getYarnConfiguration()).thenReturn(new Configuration(false));
    return context;
  }
}
