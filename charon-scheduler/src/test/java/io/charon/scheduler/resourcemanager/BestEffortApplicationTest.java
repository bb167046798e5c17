/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests the processor in a complete ResourceManager with its real CapacityScheduler. */
@Timeout(60)
@Tag("hadoop")
class BestEffortApplicationTest {

  private static final int CONTAINER_MB = 1024;
  private static final int TASKS = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final YarnConfiguration configuration = new YarnConfiguration();
  private MockRM resourceManager;
  private MockNM node;

  @BeforeEach
  void configure() {
    NodeAttributes.keepApart(configuration);
    configuration.setBoolean(BestEffortKeys.ENABLED_KEY, true);
    configuration.setClass(
        YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);
    // YARN's service for opportunistic containers opens a port even in a MockRM.
    configuration.set(YarnConfiguration.RM_SCHEDULER_ADDRESS, "127.0.0.1:0");
    configuration.setInt(YarnConfiguration.NM_CONTAINER_QUEUING_SORTING_NODES_INTERVAL_MS, 50);
    configuration.set(
        YarnConfiguration.RM_APPLICATION_MASTER_SERVICE_PROCESSORS,
        BestEffortProcessor.class.getName());
  }

  @AfterEach
  void stop() {
    resourceManager.stop();
  }

  @Test
  void onlyTheTasksOfATaggedApplicationAreOpportunistic() throws Exception {
    start();
    RMApp application = submit(Set.of("BestEffort"));
    MockAM applicationMaster = MockRM.launchAndRegisterAM(application, resourceManager, node);

    assertThat(executionTypes(allocateTasks(applicationMaster)))
        .hasSize(TASKS)
        .containsOnly(ExecutionType.OPPORTUNISTIC);
    assertThat(application.getCurrentAppAttempt().getMasterContainer().getExecutionType())
        .isEqualTo(ExecutionType.GUARANTEED);
  }

  @Test
  void whatIsAskedOfALabelledPartitionStaysGuaranteedAndGoesThere(@TempDir Path labels)
      throws Exception {
    configuration.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
    configuration.set(YarnConfiguration.FS_NODE_LABELS_STORE_ROOT_DIR, labels.toUri().toString());
    configuration.set("yarn.scheduler.capacity.root.accessible-node-labels.gpu.capacity", "100");
    configuration.set(
        "yarn.scheduler.capacity.root.default.accessible-node-labels.gpu.capacity", "100");
    start();
    MockNM labelled = resourceManager.registerNode("127.0.0.2:1234", 8 * CONTAINER_MB);
    RMNodeLabelsManager manager = resourceManager.getRMContext().getNodeLabelManager();
    manager.addToCluserNodeLabelsWithDefaultExclusivity(Set.of("gpu"));
    manager.replaceLabelsOnNode(Map.of(labelled.getNodeId(), Set.of("gpu")));
    resourceManager.drainEvents();
    RMApp application = submit(Set.of("besteffort"));
    MockAM applicationMaster = MockRM.launchAndRegisterAM(application, resourceManager, node);

    applicationMaster.allocate("*", CONTAINER_MB, TASKS, List.of(), "gpu");
    List<Container> allocated = new ArrayList<>();
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (allocated.size() < TASKS && System.nanoTime() < deadline) {
      labelled.nodeHeartbeat(true);
      resourceManager.drainEvents();
      allocated.addAll(applicationMaster.doHeartbeat().getAllocatedContainers());
    }

    assertThat(executionTypes(allocated)).hasSize(TASKS).containsOnly(ExecutionType.GUARANTEED);
    assertThat(allocated).extracting(Container::getNodeId).containsOnly(labelled.getNodeId());
  }

  @Test
  void whatIsLargerThanItsQueueAllowsIsRefusedAsWithoutCharon() throws Exception {
    configuration.set(
        "yarn.scheduler.capacity.root.default.maximum-allocation-mb",
        Integer.toString(CONTAINER_MB));
    start();
    RMApp application = submit(Set.of("besteffort"));
    MockAM applicationMaster = MockRM.launchAndRegisterAM(application, resourceManager, node);

    assertThatThrownBy(() -> applicationMaster.allocate("*", 2 * CONTAINER_MB, 1, List.of()))
        .isInstanceOf(InvalidResourceRequestException.class);
  }

  @Test
  void anApplicationWithoutTheTagGetsGuaranteedContainers() throws Exception {
    start();
    RMApp application = submit(Set.of("production"));
    MockAM applicationMaster = MockRM.launchAndRegisterAM(application, resourceManager, node);

    assertThat(executionTypes(allocateTasks(applicationMaster)))
        .hasSize(TASKS)
        .containsOnly(ExecutionType.GUARANTEED);
  }

  @Test
  void anApplicationSubmittedToALeafNameIsFoundByTheQueuesFullPath() throws Exception {
    configuration.set(BestEffortKeys.QUEUES_KEY, "root.default");
    start();
    RMApp application = submit(Set.of());
    MockAM applicationMaster = MockRM.launchAndRegisterAM(application, resourceManager, node);

    assertThat(executionTypes(allocateTasks(applicationMaster)))
        .hasSize(TASKS)
        .containsOnly(ExecutionType.OPPORTUNISTIC);
  }

  @Test
  void withoutOpportunisticAllocationATaggedApplicationStillRuns() throws Exception {
    configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, false);
    start();
    RMApp application = submit(Set.of("besteffort"));
    MockAM applicationMaster = MockRM.launchAndRegisterAM(application, resourceManager, node);

    assertThat(executionTypes(allocateTasks(applicationMaster)))
        .hasSize(TASKS)
        .containsOnly(ExecutionType.GUARANTEED);
  }

  @Test
  void queuesThatTheSchedulerDoesNotHaveAreNamedAtTheStart() throws Exception {
    configuration.set(BestEffortKeys.QUEUES_KEY, "root.default,root.defualt");
    configuration.set(BestEffortLimits.PER_QUEUE_KEY + ".batch", "7");
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(BestEffortProcessor.class));
    try {
      start();
    } finally {
      log.stopCapturing();
    }
    assertThat(log.getOutput())
        .containsOnlyOnce("queues that the scheduler does not have: [root.defualt]")
        .containsOnlyOnce(BestEffortLimits.PER_QUEUE_KEY + ".batch in ")
        .contains("queues that the scheduler does not have: [batch]");
  }

  private void start() throws Exception {
    resourceManager = new MockRM(configuration);
    resourceManager.start();
    // The host name must resolve, because container tokens hold its address.
    node = new QueuingNode("127.0.0.1:1234", resourceManager);
    node.registerNode();
    heartbeat();
  }

  private RMApp submit(Set<String> tags) throws Exception {
    return MockRMAppSubmitter.submit(
        resourceManager,
        MockRMAppSubmissionData.Builder.createWithMemory(CONTAINER_MB, resourceManager)
            .withQueue("default")
            .withApplicationTags(tags)
            .build());
  }

  /**
   * Requests containers as an unmodified application does, and sends heartbeats until it has all of
   * them.
   */
  private List<Container> allocateTasks(MockAM applicationMaster) throws Exception {
    List<Container> allocated =
        new ArrayList<>(
            applicationMaster
                .allocate("*", CONTAINER_MB, TASKS, List.of())
                .getAllocatedContainers());
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (allocated.size() < TASKS && System.nanoTime() < deadline) {
      heartbeat();
      Thread.sleep(20);
      allocated.addAll(applicationMaster.doHeartbeat().getAllocatedContainers());
    }
    return allocated;
  }

  private void heartbeat() throws Exception {
    node.nodeHeartbeat(true);
    resourceManager.drainEvents();
  }

  /**
   * A node that reports the capacity of its queue with every heartbeat. YARN's allocator takes the
   * capacity from the first heartbeat that it processes, on a thread of its own, and reads the
   * latest report. If that were a heartbeat of MockRM, which reports nothing, no container would
   * ever be allocated.
   */
  private static final class QueuingNode extends MockNM {
    QueuingNode(String address, MockRM resourceManager) {
      super(address, 8 * CONTAINER_MB, resourceManager.getResourceTrackerService());
    }

    @Override
    public NodeHeartbeatResponse nodeHeartbeat(boolean healthy) throws Exception {
      OpportunisticContainersStatus status = OpportunisticContainersStatus.newInstance();
      status.setOpportQueueCapacity(10);
      return nodeHeartbeat(status, healthy);
    }
  }

  private static List<ExecutionType> executionTypes(List<Container> containers) {
    return containers.stream().map(Container::getExecutionType).toList();
  }
}
