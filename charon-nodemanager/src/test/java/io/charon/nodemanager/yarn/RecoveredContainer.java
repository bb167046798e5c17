/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.api.ContainerType;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.ContainerStateTransitionListener;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerInitEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerResourceLocalizedEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.LocalResourceRequest;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerState;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerStatus;

/** A real container of YARN with a file, recovered as a restarted NodeManager does. */
final class RecoveredContainer {
  private static final String FILE = "job.jar";
  private static final Path LOCAL = new Path("/local/" + FILE);

  private final StockYarn yarn;
  private final LocalResource file =
      LocalResource.newInstance(
          URL.fromPath(new Path("file:/staging/" + FILE)),
          LocalResourceType.FILE,
          LocalResourceVisibility.APPLICATION,
          1,
          1);
  private final ContainerImpl container;

  /**
   * Recovers a container.
   *
   * @param status what the state store says of it
   */
  RecoveredContainer(
      StockYarn yarn, int number, ExecutionType type, RecoveredContainerStatus status)
      throws Exception {
    this.yarn = yarn;
    ContainerExecutor executor = mock(ContainerExecutor.class);
    when(executor.getLocalResources(any())).thenReturn(Map.of(FILE, file));
    when(yarn.context().getContainerExecutor()).thenReturn(executor);
    when(yarn.context().getContainerStateTransitionListener())
        .thenReturn(mock(ContainerStateTransitionListener.class));
    RecoveredContainerState state = mock(RecoveredContainerState.class);
    when(state.getStatus()).thenReturn(status);
    when(state.getDiagnostics()).thenReturn("");
    ContainerTokenIdentifier token =
        yarn.container(number, StockYarn.NODE_MB, type, ContainerType.TASK)
            .getContainerTokenIdentifier();
    container =
        new ContainerImpl(
            yarn.context().getConf(),
            yarn.dispatcher(),
            ContainerLaunchContext.newInstance(
                Map.of(FILE, file), Map.of(), List.of("true"), Map.of(), null, Map.of()),
            new Credentials(),
            mock(NodeManagerMetrics.class),
            token,
            yarn.context(),
            state);
    yarn.context().getContainers().put(container.getContainerId(), container);
    yarn.recover(container, status);
  }

  /** Initializes it, when YARN asks for its files. */
  void initialize() {
    yarn.transition(container, new ContainerInitEvent(container.getContainerId()));
    yarn.deliver();
  }

  /** Notes that its file is here; the event with which it is scheduled is not delivered yet. */
  void localized() throws Exception {
    yarn.transition(
        container,
        new ContainerResourceLocalizedEvent(
            container.getContainerId(), new LocalResourceRequest(file), LOCAL));
  }

  ContainerState state() {
    return container.getContainerState();
  }

  /** Returns whether it would find its file if it started now. */
  boolean hasItsFile() {
    return container.getLocalizedResources().equals(Map.of(LOCAL, List.of(FILE)));
  }

  boolean isIn(BestEffortQueue queue) {
    return queue.containsKey(container.getContainerId());
  }
}
