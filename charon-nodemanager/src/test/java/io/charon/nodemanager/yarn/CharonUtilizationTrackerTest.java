/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.InOrder;

@Tag("hadoop")
class CharonUtilizationTrackerTest {
  private final CharonNode node = mock(CharonNode.class);
  private final ContainerLifecycle lifecycle = mock(ContainerLifecycle.class);
  private final ResourceUtilizationTracker stock = mock(ResourceUtilizationTracker.class);
  private final CharonUtilizationTracker tracker = new CharonUtilizationTracker(node, stock);

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
    Container container = new StockYarn(1).opportunistic(1, 100);
    when(container.cloneAndGetContainerStatus())
        .thenReturn(
            ContainerStatus.newInstance(StockYarn.id(1), ContainerState.COMPLETE, "", exitStatus));
    tracker.inCharge(mock(LaunchGate.class));
    tracker.addContainerResources(container);

    tracker.subtractContainerResource(container);

    verify(lifecycle)
        .released(StockYarn.id(1).toString(), exitStatus == ContainerExitStatus.SUCCESS);
  }

  /** YARN subtracts a copy with the former size and adds the container with the new one. */
  @Test
  void aResizeIsNoEndAndNoStart() {
    LaunchGate gate = mock(LaunchGate.class);
    Container container = new StockYarn(1).opportunistic(1, 300);
    Container former = new StockYarn(1).opportunistic(1, 100);
    tracker.inCharge(gate);
    tracker.addContainerResources(container);
    clearInvocations(gate, stock);

    tracker.subtractContainerResource(former);
    tracker.addContainerResources(container);

    verifyNoInteractions(gate, lifecycle, node);
    InOrder order = inOrder(stock);
    order.verify(stock).subtractContainerResource(former);
    order.verify(stock).addContainerResources(container);
  }
}
