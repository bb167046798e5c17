/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerExitEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainersLauncherEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainersLauncherEventType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

/** Tests the end of a container that YARN's launcher does not list as running. */
@Tag("hadoop")
class PausedBeforeARestartTest {
  private static final long TIMEOUT_MS = 20_000;

  private final StockYarn yarn = new StockYarn(5);
  private final Container container = yarn.opportunistic(1, 100);
  private final ContainerExecutor executor = mock(ContainerExecutor.class);
  private final EventHandler<Event<?>> events = mock();
  private final CharonContainersLauncher launcher = new CharonContainersLauncher();

  @BeforeEach
  void open() {
    Dispatcher dispatcher = mock(Dispatcher.class);
    when(dispatcher.getEventHandler()).thenAnswer(invocation -> events);
    launcher.init(yarn.context(), dispatcher, executor, null, yarn.manager());
  }

  @AfterEach
  void close() {
    launcher.containerLauncher.shutdownNow();
  }

  @Test
  void itIsKilledBeforeYarnReportsItsEnd() throws Exception {
    when(executor.getProcessId(container.getContainerId())).thenReturn("71");

    cleanUp();

    verify(events, timeout(TIMEOUT_MS)).handle(any(ContainerExitEvent.class));
    InOrder order = inOrder(executor, events);
    order
        .verify(executor)
        .signalContainer(
            argThat(
                signal ->
                    signal.getPid().equals("71")
                        && signal.getUser().equals("alice")
                        && signal.getSignal() == ContainerExecutor.Signal.KILL));
    order.verify(events).handle(any(ContainerExitEvent.class));
  }

  @Test
  void oneWithoutAProcessEndsAsInYarn() throws Exception {
    cleanUp();

    verify(events).handle(any(ContainerExitEvent.class));
    verify(executor, never()).signalContainer(any());
  }

  private void cleanUp() {
    launcher.handle(
        new ContainersLauncherEvent(container, ContainersLauncherEventType.CLEANUP_CONTAINER));
  }
}
