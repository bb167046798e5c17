/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.micro;

import io.charon.evaluation.cluster.ContainerTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.StartContainerRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.api.ResourceTracker;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DeletionService;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdater;
import org.apache.hadoop.yarn.server.nodemanager.NodeStatusUpdaterImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.health.NodeHealthCheckerService;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.apache.hadoop.yarn.server.security.ApplicationACLsManager;

/**
 * A complete NodeManager in this process, on free ports of the loopback interface, with real
 * containers that sleep. No ResourceManager asks for its reports; the benchmark requests them.
 */
final class LoadedNodeManager implements AutoCloseable {
  private static final String ANY_PORT = "127.0.0.1:0";
  private static final int CONTAINER_MEBIBYTES = 16;
  private static final long START_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final long END_LIMIT_MILLIS = TimeUnit.MINUTES.toMillis(2);

  /** Command that ends by itself if nothing else ends it, long after any measurement. */
  private static final String COMMAND = "exec sleep 1200";

  /** Every fifth container is OPPORTUNISTIC. */
  private static final int OPPORTUNISTIC_EVERY = 5;

  private final WithoutResourceManager nodeManager = new WithoutResourceManager();

  /**
   * Starts the NodeManager and its containers.
   *
   * @param directory directory for its files; the caller removes it
   * @param charon properties that install Charon; empty for stock YARN
   * @param containers number of containers
   */
  LoadedNodeManager(Path directory, Map<String, String> charon, int containers)
      throws IOException, YarnException, InterruptedException {
    nodeManager.init(configuration(directory, charon, containers));
    nodeManager.start();
    try {
      for (int index = 1; index <= containers; index++) {
        nodeManager.containers.start(
            index,
            index % OPPORTUNISTIC_EVERY == 0
                ? ExecutionType.OPPORTUNISTIC
                : ExecutionType.GUARANTEED);
      }
      awaitRunning(containers);
    } catch (IOException | YarnException | InterruptedException e) {
      close();
      throw e;
    }
  }

  /** Returns the report that a heartbeat carries. */
  NodeStatus report() throws IOException {
    return nodeManager.reports.getNodeStatus(0);
  }

  @Override
  public void close() {
    nodeManager.stop();
  }

  private void awaitRunning(int wanted) throws IOException, InterruptedException {
    long end = System.nanoTime() + START_LIMIT_NANOS;
    long running = nodeManager.containers.running();
    while (running < wanted) {
      if (System.nanoTime() > end) {
        throw new IOException(running + " of " + wanted + " containers run after 5 minutes");
      }
      TimeUnit.MILLISECONDS.sleep(100);
      running = nodeManager.containers.running();
    }
  }

  private static Configuration configuration(
      Path directory, Map<String, String> charon, int containers) throws IOException {
    Configuration configuration = new YarnConfiguration();
    for (String address :
        List.of(
            YarnConfiguration.NM_ADDRESS,
            YarnConfiguration.NM_LOCALIZER_ADDRESS,
            YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS,
            YarnConfiguration.NM_WEBAPP_ADDRESS)) {
      configuration.set(address, ANY_PORT);
    }
    for (String key : List.of(YarnConfiguration.NM_LOCAL_DIRS, YarnConfiguration.NM_LOG_DIRS)) {
      configuration.set(key, Files.createTempDirectory(directory, "nodemanager-").toString());
    }
    // A nearly full disk must not prevent the measurement.
    configuration.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 100);
    configuration.setInt(YarnConfiguration.NM_PMEM_MB, 2 * containers * CONTAINER_MEBIBYTES);
    configuration.setInt(YarnConfiguration.NM_VCORES, 2 * containers);
    configuration.setInt(
        YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH, containers);
    // The NodeManager forks for each container that it ends, and leaves the rest behind at the
    // timeout.
    configuration.setLong(YarnConfiguration.NM_PROCESS_KILL_WAIT_MS, END_LIMIT_MILLIS);
    configuration.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
    configuration.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    charon.forEach(configuration::set);
    UserGroupInformation.setConfiguration(configuration);
    return configuration;
  }

  private static final class WithoutResourceManager extends NodeManager {
    private Reports reports;
    private Containers containers;

    @Override
    protected NodeStatusUpdater createNodeStatusUpdater(
        Context context, Dispatcher dispatcher, NodeHealthCheckerService health) {
      reports = new Reports(context, dispatcher, health, metrics);
      return reports;
    }

    @Override
    protected ContainerManagerImpl createContainerManager(
        Context context,
        ContainerExecutor executor,
        DeletionService deletion,
        NodeStatusUpdater updater,
        ApplicationACLsManager acls,
        LocalDirsHandlerService directories) {
      containers = new Containers(context, executor, deletion, updater, metrics, directories);
      return containers;
    }
  }

  private static final class Reports extends NodeStatusUpdaterImpl {
    Reports(
        Context context,
        Dispatcher dispatcher,
        NodeHealthCheckerService health,
        NodeManagerMetrics metrics) {
      super(context, dispatcher, health, metrics);
    }

    @Override
    protected ResourceTracker getRMClient() {
      return null;
    }

    @Override
    protected void registerWithRM() {}

    @Override
    protected void startStatusUpdater() {}

    @Override
    protected NodeStatus getNodeStatus(int responseId) throws IOException {
      return super.getNodeStatus(responseId);
    }
  }

  private static final class Containers extends ContainerManagerImpl {
    private static final ApplicationAttemptId ATTEMPT =
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);

    Containers(
        Context context,
        ContainerExecutor executor,
        DeletionService deletion,
        NodeStatusUpdater updater,
        NodeManagerMetrics metrics,
        LocalDirsHandlerService directories) {
      super(context, executor, deletion, updater, metrics, directories);
    }

    /** Does what a call of an ApplicationMaster does after its token was checked. */
    void start(long index, ExecutionType type) throws IOException, YarnException {
      String user = UserGroupInformation.getCurrentUser().getShortUserName();
      ContainerTokenIdentifier identifier =
          ContainerTokens.of(
              ContainerId.newContainerId(ATTEMPT, index),
              getContext().getNodeId().toString(),
              user,
              CONTAINER_MEBIBYTES,
              type);
      ContainerLaunchContext launch =
          ContainerLaunchContext.newInstance(
              Map.of(), Map.of(), List.of(COMMAND), Map.of(), null, Map.of());
      startContainerInternal(identifier, StartContainerRequest.newInstance(launch, null), user);
    }

    long running() {
      return getContext().getContainers().values().stream()
          .filter(container -> container.getContainerState() == ContainerState.RUNNING)
          .count();
    }
  }
}
