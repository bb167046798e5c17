/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.micro;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEvent;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEventType;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.ApplicationMasterLauncher;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;

/**
 * A complete ResourceManager in this process, on free ports of the loopback interface, with nodes
 * that only report. ApplicationMasters count as launched immediately; the benchmark makes their
 * calls.
 */
final class LoadedResourceManager implements AutoCloseable {
  static final String BEST_EFFORT_TAG = "best-effort";

  private static final String QUEUE = "default";
  private static final String ANY_PORT = "127.0.0.1:0";
  private static final int NODE_MEBIBYTES = 128 * 1024;
  private static final int NODE_CORES = 32;
  private static final int NODES_PER_SUBNET = 250;

  /**
   * Queue limit that is never reached, because the ResourceManager, which is measured, allocates
   * more containers here than nodes report.
   */
  private static final int QUEUE_LIMIT = 100_000_000;

  private static final long STEP_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private record Node(NodeId id, RegisterNodeManagerResponse registered) {}

  private final ResourceManager resourceManager = new WithoutLaunches();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<NodeId, Integer> responses = new HashMap<>();

  /**
   * Starts the ResourceManager and lets its nodes report once.
   *
   * @param nodeCount number of nodes
   * @param processors class names for {@code
   *     yarn.resourcemanager.application-master-service.processors}; empty for stock
   */
  LoadedResourceManager(int nodeCount, String processors) throws IOException, YarnException {
    resourceManager.init(configuration(processors));
    resourceManager.start();
    for (int index = 0; index < nodeCount; index++) {
      nodes.add(register(index));
    }
    heartbeats();
  }

  /** Submits an application and registers its ApplicationMaster. */
  BenchApplication submit(String name) throws IOException, YarnException, InterruptedException {
    ApplicationId id =
        resourceManager
            .getClientRMService()
            .getNewApplication(GetNewApplicationRequest.newInstance())
            .getApplicationId();
    ApplicationSubmissionContext submission =
        ApplicationSubmissionContext.newInstance(
            id,
            name,
            QUEUE,
            Priority.newInstance(0),
            ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), Map.of(), null, null),
            false,
            true,
            1,
            Resource.newInstance(1024, 1));
    submission.setApplicationTags(Set.of(BEST_EFFORT_TAG));
    resourceManager
        .getClientRMService()
        .submitApplication(SubmitApplicationRequest.newInstance(submission));
    RMAppAttempt attempt = awaitLaunched(id);
    return new BenchApplication(
        resourceManager.getApplicationMasterService(),
        attempt.getAppAttemptId(),
        resourceManager
            .getRMContext()
            .getAMRMTokenSecretManager()
            .createAndGetAMRMToken(attempt.getAppAttemptId()));
  }

  private RMAppAttempt awaitLaunched(ApplicationId id)
      throws IOException, YarnException, InterruptedException {
    long end = System.nanoTime() + STEP_LIMIT_NANOS;
    while (System.nanoTime() < end) {
      RMAppAttempt attempt =
          resourceManager.getRMContext().getRMApps().get(id).getCurrentAppAttempt();
      if (attempt != null && attempt.getState() == RMAppAttemptState.LAUNCHED) {
        return attempt;
      }
      heartbeats();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new IOException("the ApplicationMaster of " + id + " was not launched");
  }

  private void heartbeats() throws IOException, YarnException {
    for (Node node : nodes) {
      heartbeat(node);
    }
  }

  private Node register(int index) throws IOException, YarnException {
    // Addresses, because a name would have to be resolved for each container's token.
    String host = "127.1." + index / NODES_PER_SUBNET + "." + (1 + index % NODES_PER_SUBNET);
    NodeId id = NodeId.newInstance(host, 1);
    RegisterNodeManagerRequest request =
        RegisterNodeManagerRequest.newInstance(
            id,
            2,
            Resource.newInstance(NODE_MEBIBYTES, NODE_CORES),
            VersionInfo.getVersion(),
            List.of(),
            List.of(),
            Set.of());
    return new Node(id, resourceManager.getResourceTrackerService().registerNodeManager(request));
  }

  private void heartbeat(Node node) throws IOException, YarnException {
    NodeHealthStatus health = NodeHealthStatus.newInstance(true, "", System.currentTimeMillis());
    NodeStatus status =
        NodeStatus.newInstance(
            node.id(),
            responses.getOrDefault(node.id(), 0),
            List.of(),
            List.of(),
            health,
            null,
            null,
            List.of());
    OpportunisticContainersStatus opportunistic = OpportunisticContainersStatus.newInstance();
    opportunistic.setOpportQueueCapacity(QUEUE_LIMIT);
    status.setOpportunisticContainersStatus(opportunistic);
    int responseId =
        resourceManager
            .getResourceTrackerService()
            .nodeHeartbeat(
                NodeHeartbeatRequest.newInstance(
                    status,
                    node.registered().getContainerTokenMasterKey(),
                    node.registered().getNMTokenMasterKey(),
                    null))
            .getResponseId();
    responses.put(node.id(), responseId);
  }

  private static Configuration configuration(String processors) {
    Configuration configuration = new YarnConfiguration();
    for (String address :
        List.of(
            YarnConfiguration.RM_ADDRESS,
            YarnConfiguration.RM_SCHEDULER_ADDRESS,
            YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
            YarnConfiguration.RM_ADMIN_ADDRESS,
            YarnConfiguration.RM_WEBAPP_ADDRESS)) {
      configuration.set(address, ANY_PORT);
    }
    configuration.set("yarn.scheduler.capacity.root.queues", QUEUE);
    configuration.set("yarn.scheduler.capacity.root." + QUEUE + ".capacity", "100");
    configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);
    configuration.set("yarn.resourcemanager.charon.best-effort.enabled", "true");
    configuration.set("yarn.resourcemanager.charon.best-effort.tags", BEST_EFFORT_TAG);
    if (!processors.isEmpty()) {
      configuration.set(YarnConfiguration.RM_APPLICATION_MASTER_SERVICE_PROCESSORS, processors);
    }
    UserGroupInformation.setConfiguration(configuration);
    return configuration;
  }

  @Override
  public void close() {
    resourceManager.stop();
  }

  /** A ResourceManager without web pages whose nodes cannot launch an ApplicationMaster. */
  private static final class WithoutLaunches extends ResourceManager {
    @Override
    protected void startWepApp() {}

    @Override
    protected ApplicationMasterLauncher createAMLauncher() {
      return new LaunchedAtOnce(getRMContext());
    }
  }

  private static final class LaunchedAtOnce extends ApplicationMasterLauncher {
    LaunchedAtOnce(RMContext context) {
      super(context);
    }

    @Override
    protected void serviceStart() {}

    @Override
    protected void serviceStop() {}

    @Override
    public synchronized void handle(AMLauncherEvent event) {
      if (event.getType() == AMLauncherEventType.LAUNCH) {
        context
            .getDispatcher()
            .getEventHandler()
            .handle(
                new RMAppAttemptEvent(
                    event.getAppAttempt().getAppAttemptId(), RMAppAttemptEventType.LAUNCHED));
      }
    }
  }
}
