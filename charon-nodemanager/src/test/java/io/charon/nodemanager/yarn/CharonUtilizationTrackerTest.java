/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.ContainerLifecycle;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ResourceUtilizationTracker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("hadoop")
class CharonUtilizationTrackerTest {
  private final CharonNode node = mock(CharonNode.class);
  private final ContainerLifecycle lifecycle = mock(ContainerLifecycle.class);
  private final CharonUtilizationTracker tracker =
      new CharonUtilizationTracker(node, mock(ResourceUtilizationTracker.class));

  @ParameterizedTest
  @ValueSource(
      ints = {
        ContainerExitStatus.SUCCESS,
        1,
        143,
        ContainerExitStatus.KILLED_BY_APPMASTER,
        ContainerExitStatus.INVALID
      })
  void onlyAContainerThatSucceededHasCompleted(int exitStatus) {
    when(node.lifecycle()).thenReturn(lifecycle);
    Container container = mock(Container.class);
    when(container.getContainerId()).thenReturn(StockYarn.id(1));
    when(container.cloneAndGetContainerStatus())
        .thenReturn(
            ContainerStatus.newInstance(StockYarn.id(1), ContainerState.COMPLETE, "", exitStatus));
    tracker.inCharge(mock(LaunchGate.class));

    tracker.subtractContainerResource(container);

    verify(lifecycle)
        .released(StockYarn.id(1).toString(), exitStatus == ContainerExitStatus.SUCCESS);
  }
}
