/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.YarnClient;

/**
 * An application whose ApplicationMaster is the test itself, for requests that MapReduce never
 * makes.
 */
final class OwnMaster implements AutoCloseable {
  private static final int CONTAINER_MEBIBYTES = 512;

  private final YarnClient yarn = YarnClient.createYarnClient();
  private final AMRMClient<ContainerRequest> resourceManager = AMRMClient.createAMRMClient();
  private final NMClient nodeManager = NMClient.createNMClient();
  private final UserGroupInformation caller;
  private final ApplicationId application;
  private final List<Container> allocated = new ArrayList<>();
  private final List<UpdatedContainer> updated = new ArrayList<>();
  private final List<ContainerStatus> completed = new ArrayList<>();

  /** Submits and registers a best-effort application. */
  OwnMaster(Configuration configuration) throws Exception {
    this(configuration, HoldJob.QUEUE);
  }

  /** Submits and registers an application in a queue. */
  OwnMaster(Configuration configuration, String queue) throws Exception {
    caller =
        UserGroupInformation.createRemoteUser(
            UserGroupInformation.getLoginUser().getShortUserName());
    yarn.init(configuration);
    yarn.start();
    ApplicationSubmissionContext submission =
        yarn.createApplication().getApplicationSubmissionContext();
    application = submission.getApplicationId();
    submission.setApplicationName("own master");
    submission.setQueue(queue);
    submission.setUnmanagedAM(true);
    submission.setResource(Resource.newInstance(1, 1));
    submission.setAMContainerSpec(
        ContainerLaunchContext.newInstance(
            Map.of(), Map.of(), List.of(), Map.of(), null, Map.of()));
    yarn.submitApplication(submission);
    await("its ApplicationMaster may register", () -> amrmToken() != null && isAccepted());
    caller.addToken(amrmToken());
    as(
        () -> {
          resourceManager.init(configuration);
          resourceManager.start();
          nodeManager.setNMTokenCache(resourceManager.getNMTokenCache());
          nodeManager.init(configuration);
          nodeManager.start();
          return resourceManager.registerApplicationMaster("localhost", 0, "");
        });
  }

  /** Runs a command in a container, which is OPPORTUNISTIC for a best-effort application. */
  Container run(String command) throws Exception {
    return run(command, CONTAINER_MEBIBYTES);
  }

  /** Runs a command in a container of a given size. */
  Container run(String command, int mebibytes) throws Exception {
    return run(command, mebibytes, Map.of());
  }

  /** Runs a command in a container with an environment, by which YARN selects the runtime. */
  Container run(String command, int mebibytes, Map<String, String> environment) throws Exception {
    ContainerRequest request =
        new ContainerRequest(
            Resource.newInstance(mebibytes, 1), null, null, Priority.newInstance(1));
    resourceManager.addContainerRequest(request);
    await("a container is given", () -> heartbeat() && !allocated.isEmpty());
    resourceManager.removeContainerRequest(request);
    Container container = allocated.remove(0);
    ContainerLaunchContext launch =
        ContainerLaunchContext.newInstance(
            Map.of(), environment, List.of(command), Map.of(), null, Map.of());
    as(() -> nodeManager.startContainer(container, launch));
    return container;
  }

  /** Releases a container, whether it has started or is waiting. */
  void release(Container container) throws Exception {
    resourceManager.releaseAssignedContainer(container.getId());
    heartbeat();
  }

  /** Makes a container GUARANTEED. */
  void promote(Container container) throws Exception {
    resourceManager.requestContainerUpdate(
        container,
        UpdateContainerRequest.newInstance(
            container.getVersion(),
            container.getId(),
            ContainerUpdateType.PROMOTE_EXECUTION_TYPE,
            null,
            ExecutionType.GUARANTEED));
    await("the promotion is granted", () -> heartbeat() && !updated.isEmpty());
    as(
        () -> {
          nodeManager.updateContainerResource(updated.get(0).getContainer());
          return null;
        });
  }

  /** Returns the final status of a container as YARN reports it; empty while it has not ended. */
  Optional<ContainerStatus> ended(Container container) throws Exception {
    heartbeat();
    return completed.stream()
        .filter(status -> status.getContainerId().equals(container.getId()))
        .findFirst();
  }

  private boolean heartbeat() throws Exception {
    AllocateResponse response = as(() -> resourceManager.allocate(0.5f));
    allocated.addAll(response.getAllocatedContainers());
    updated.addAll(response.getUpdatedContainers());
    completed.addAll(response.getCompletedContainersStatuses());
    return true;
  }

  private Token<?> amrmToken() throws Exception {
    return yarn.getAMRMToken(application);
  }

  private boolean isAccepted() throws Exception {
    return yarn.getApplicationReport(application).getYarnApplicationState()
        == YarnApplicationState.ACCEPTED;
  }

  private <T> T as(PrivilegedExceptionAction<T> call) throws IOException, InterruptedException {
    return caller.doAs(call);
  }

  /** Ends the application with its containers. */
  @Override
  public void close() throws IOException {
    try {
      as(
          () -> {
            resourceManager.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
            return null;
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      nodeManager.close();
      resourceManager.close();
      yarn.close();
    }
  }
}
