/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * A complete ResourceManager with Charon's processor, and nodes that accept OPPORTUNISTIC
 * containers.
 */
final class MockCluster implements AutoCloseable {

  static final int CONTAINER_MB = 512;
  private static final int NODE_MB = 64 * CONTAINER_MB;
  private static final String ANY_PORT = "127.0.0.1:0";
  private static final int QUEUE_CAPACITY = 5_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Interval at which YARN's allocator sorts the nodes; it sees their reports only then. */
  private static final int SORTING_MILLIS = 10;

  static {
    OneKeyPair.install();
  }

  /**
   * Number of places on each node; the length of a node's queue is then its number of live
   * containers. If empty, queues are always empty.
   */
  private final OptionalInt places;

  /** Number of running best-effort containers that each node reports. */
  int reportedRunning;

  MockRM resourceManager;
  final List<MockNM> nodes = new ArrayList<>();
  private final Map<MockNM, Integer> lastResponses = new HashMap<>();

  private MockCluster(MockRM resourceManager, OptionalInt places) {
    this.resourceManager = resourceManager;
    this.places = places;
  }

  /**
   * Returns a configuration with the queues root.batch, root.nightly (both best-effort) and
   * root.production.
   */
  static YarnConfiguration configuration() {
    YarnConfiguration configuration = new YarnConfiguration();
    NodeAttributes.keepApart(configuration);
    configuration.set("yarn.scheduler.capacity.root.queues", "batch,nightly,production");
    configuration.set("yarn.scheduler.capacity.root.batch.capacity", "40");
    configuration.set("yarn.scheduler.capacity.root.nightly.capacity", "30");
    configuration.set("yarn.scheduler.capacity.root.production.capacity", "30");
    configuration.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
    configuration.setClass(
        YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);
    configuration.setInt(
        YarnConfiguration.NM_CONTAINER_QUEUING_SORTING_NODES_INTERVAL_MS, SORTING_MILLIS);
    configuration.set(
        YarnConfiguration.RM_APPLICATION_MASTER_SERVICE_PROCESSORS,
        BestEffortProcessor.class.getName());
    // YARN's service for opportunistic containers opens a port even in a MockRM.
    configuration.set(YarnConfiguration.RM_SCHEDULER_ADDRESS, ANY_PORT);
    configuration.setBoolean(BestEffortKeys.ENABLED_KEY, true);
    configuration.set(BestEffortKeys.QUEUES_KEY, "batch,root.nightly");
    return configuration;
  }

  static MockCluster start(YarnConfiguration configuration, int nodeCount) throws Exception {
    return start(new MockRM(configuration), nodeCount);
  }

  static MockCluster start(MockRM resourceManager, int nodeCount) throws Exception {
    return start(resourceManager, nodeCount, OptionalInt.empty());
  }

  static MockCluster start(MockRM resourceManager, int nodeCount, OptionalInt places)
      throws Exception {
    MockCluster cluster = new MockCluster(resourceManager, places);
    resourceManager.start();
    if (HAUtil.isHAEnabled(resourceManager.getConfig())) {
      resourceManager
          .getAdminService()
          .transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
    }
    for (int i = 1; i <= nodeCount; i++) {
      // The host names must resolve, because container tokens hold the address, and must differ,
      // because YARN's load monitor distinguishes nodes by them.
      cluster.nodes.add(resourceManager.registerNode("127.0.0." + i + ":1234", NODE_MB));
    }
    cluster.heartbeat();
    return cluster;
  }

  MockApplication submit(String queue, String user) throws Exception {
    return submit(
        MockRMAppSubmissionData.Builder.createWithMemory(CONTAINER_MB, resourceManager)
            .withQueue(queue)
            .withUser(user)
            .withMaxAppAttempts(2)
            .withApplicationTags(Set.of()));
  }

  MockApplication submit(MockRMAppSubmissionData.Builder data) throws Exception {
    // It may be allocated before the test sees the scheduled state.
    RMApp application =
        MockRMAppSubmitter.submit(resourceManager, data.withWaitForAppAcceptedState(false).build());
    until(
        "the ApplicationMaster's container is allocated",
        () ->
            application.getCurrentAppAttempt() != null
                && application.getCurrentAppAttempt().getAppAttemptState()
                    == RMAppAttemptState.ALLOCATED);
    MockAM master =
        resourceManager.sendAMLaunched(application.getCurrentAppAttempt().getAppAttemptId());
    master.registerAppAttempt();
    return new MockApplication(this, master);
  }

  /**
   * Replaces the ResourceManager by another one that recovers from its store. The nodes report the
   * containers of {@code application}, which registers again.
   */
  void restart(YarnConfiguration configuration, MockApplication application) throws Exception {
    RMStateStore store = resourceManager.getRMStateStore();
    Container master = masterOf(application);
    configuration.set(YarnConfiguration.RM_SCHEDULER_ADDRESS, ANY_PORT);
    MockRM recovered = new MockRM(configuration, store);
    recovered.start();
    resourceManager.stop();
    switchTo(recovered, application, master);
  }

  /**
   * Makes the standby of a highly available pair the active ResourceManager, as {@code rmadmin}
   * does. The nodes report to it, and {@code application} registers again.
   */
  void failOver(MockRM standby, MockApplication application) throws Exception {
    Container master = masterOf(application);
    var byHand = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);
    resourceManager.getAdminService().transitionToStandby(byHand);
    standby.getAdminService().transitionToActive(byHand);
    switchTo(standby, application, master);
  }

  private Container masterOf(MockApplication application) {
    return resourceManager
        .getRMContext()
        .getRMApps()
        .get(application.id().getApplicationId())
        .getCurrentAppAttempt()
        .getMasterContainer();
  }

  private void switchTo(MockRM recovered, MockApplication application, Container master)
      throws Exception {
    resourceManager = recovered;
    List<Container> containers = new ArrayList<>(application.got);
    containers.add(master);
    lastResponses.clear();
    for (int i = 0; i < nodes.size(); i++) {
      MockNM node =
          new MockNM(
              nodes.get(i).getNodeId().toString(), NODE_MB, recovered.getResourceTrackerService());
      node.registerNode(
          containers.stream()
              .filter(container -> container.getNodeId().equals(node.getNodeId()))
              .map(MockCluster::report)
              .toList(),
          List.of(application.id().getApplicationId()));
      nodes.set(i, node);
    }
    heartbeat();
    application.master.setAMRMProtocol(
        recovered.getApplicationMasterService(), recovered.getRMContext());
    application.master.registerAppAttempt(false);
  }

  private static NMContainerStatus report(Container container) {
    return NMContainerStatus.newInstance(
        container.getId(),
        container.getVersion(),
        ContainerState.RUNNING,
        container.getResource(),
        "",
        ContainerExitStatus.INVALID,
        container.getPriority(),
        0,
        "",
        container.getExecutionType(),
        container.getAllocationRequestId());
  }

  /** Lets all nodes report that their queues have room. */
  void heartbeat() throws Exception {
    for (MockNM node : nodes) {
      heartbeat(node, List.of());
    }
    resourceManager.drainEvents();
  }

  /**
   * Every heartbeat reports the queue's capacity, because YARN keeps the first one that it sees, on
   * a thread of its own that may see the report of a later heartbeat.
   */
  private void heartbeat(MockNM node, List<ContainerStatus> statuses) throws Exception {
    OpportunisticContainersStatus queue = OpportunisticContainersStatus.newInstance();
    queue.setOpportQueueCapacity(places.orElse(QUEUE_CAPACITY));
    queue.setRunningOpportContainers(reportedRunning);
    if (places.isPresent()) {
      int live = live(node.getNodeId());
      queue.setWaitQueueLength(live);
      queue.setQueuedOpportContainers(live);
    }
    int last = lastResponses.getOrDefault(node, 0);
    lastResponses.put(
        node, node.nodeHeartbeat(statuses, List.of(), true, last, queue).getResponseId());
  }

  private int live(NodeId node) {
    return (int)
        resourceManager
            .getResourceScheduler()
            .getSchedulerNode(node)
            .getCopiedListOfRunningContainers()
            .stream()
            .filter(container -> container.getExecutionType() == ExecutionType.OPPORTUNISTIC)
            .count();
  }

  /** Reports that the containers ran on their nodes and ended with the given exit status. */
  void end(List<Container> containers, int exitStatus) throws Exception {
    for (Container container : containers) {
      running(container);
      heartbeat(nodeOf(container), List.of(status(container, ContainerState.COMPLETE, exitStatus)));
    }
    heartbeat();
  }

  /** Reports that the container runs on its node. */
  void running(Container container) throws Exception {
    heartbeat(
        nodeOf(container),
        List.of(status(container, ContainerState.RUNNING, ContainerExitStatus.INVALID)));
    resourceManager.drainEvents();
  }

  private MockNM nodeOf(Container container) {
    return nodes.stream()
        .filter(node -> node.getNodeId().equals(container.getNodeId()))
        .findFirst()
        .orElseThrow();
  }

  /** Waits for a condition while the nodes send heartbeats; fails after a long timeout. */
  void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + TIMEOUT + ": " + what);
      }
      heartbeat();
      Thread.sleep(SORTING_MILLIS);
    }
  }

  /** Lets several heartbeats pass, in which something could happen that must not. */
  void settle(MockApplication... applications) throws Exception {
    for (int i = 0; i < 8; i++) {
      heartbeat();
      Thread.sleep(2 * SORTING_MILLIS);
      for (MockApplication application : applications) {
        application.heartbeat();
      }
    }
  }

  private static ContainerStatus status(Container container, ContainerState state, int exit) {
    return ContainerStatus.newInstance(
        container.getId(), container.getExecutionType(), state, "", exit);
  }

  @Override
  public void close() {
    resourceManager.stop();
  }
}
