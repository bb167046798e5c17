/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.FakeYarn;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.TestSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.ContainerStateTransitionListener;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.AuxServicesEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerInitEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerResourceLocalizedEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainersLauncherEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.LocalResourceRequest;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.event.LocalizationEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.sharedcache.SharedCacheUploadEventType;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerState;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a real container of YARN that waited in the queue when an earlier NodeManager ended. */
@Tag("hadoop")
class WaitedBeforeARestartTest {
  private static final long MIB = 1 << 20;
  private static final String FILE = "job.jar";

  @TempDir Path proc;
  private final StockYarn yarn = new StockYarn(5);
  private final List<Enum<?>> events = new ArrayList<>();
  private BestEffortQueue queue;

  @Test
  void itIsLocalizedAgainAndStartsWithItsFiles() throws Exception {
    CharonNode node = takeOver("enforce");
    LocalResource file = file();
    ContainerImpl container = recover(RecoveredContainerStatus.QUEUED, file);
    assertThat(isQueued(container)).as("it would hold up the others").isFalse();

    container.handle(new ContainerInitEvent(container.getContainerId()));
    assertThat(container.getContainerState()).isEqualTo(ContainerState.LOCALIZING);
    assertThat(events).contains(LocalizationEventType.LOCALIZE_CONTAINER_RESOURCES);

    container.handle(
        new ContainerResourceLocalizedEvent(
            container.getContainerId(),
            new LocalResourceRequest(file),
            new org.apache.hadoop.fs.Path("/local/" + FILE)));
    assertThat(isQueued(container)).isTrue();
    assertThat(events).doesNotContain(ContainersLauncherEventType.LAUNCH_CONTAINER);

    node.gate()
        .orElseThrow()
        .observed(new NodeMemory(100_000 * MIB, 10 * StockYarn.NODE_MB * MIB), Map.of());
    new StockScheduler(yarn.scheduler(), yarn.dispatcher()).processQueue();
    assertThat(events).contains(ContainersLauncherEventType.LAUNCH_CONTAINER);
    assertThat(container.getLocalizedResources())
        .containsExactly(Map.entry(new org.apache.hadoop.fs.Path("/local/" + FILE), List.of(FILE)));
  }

  @Test
  void oneThatWasPausedIsQueuedAtOnce() throws Exception {
    takeOver("enforce");

    assertThat(isQueued(recover(RecoveredContainerStatus.PAUSED, file()))).isTrue();
  }

  @Test
  void whereYarnDecidesItDoesWhatItDoes() throws Exception {
    takeOver("observe");
    ContainerImpl container = recover(RecoveredContainerStatus.QUEUED, file());
    assertThat(isQueued(container)).isTrue();

    container.handle(new ContainerInitEvent(container.getContainerId()));
    assertThat(container.getContainerState()).isEqualTo(ContainerState.SCHEDULED);
  }

  private CharonNode takeOver(String mode) throws Exception {
    CharonNode node =
        new CharonNode(
            TestSettings.of(
                "mode", mode,
                "cgroup.enabled", "false",
                "scheduler.estimate", "peak", // keeps nothing free, so bytes are exact
                "node.tick-ms", "60000"),
            Surroundings.ofThisMachine(proc),
            new FakeYarn());
    queue = new YarnAdmission(node, yarn.scheduler(), yarn.dispatcher()).queue();
    return node;
  }

  /** Recovers a container as a restarted NodeManager does. */
  private ContainerImpl recover(RecoveredContainerStatus status, LocalResource file)
      throws Exception {
    ContainerExecutor executor = mock(ContainerExecutor.class);
    when(executor.getLocalResources(any())).thenReturn(Map.of(FILE, file));
    when(yarn.context().getContainerExecutor()).thenReturn(executor);
    when(yarn.context().getContainerStateTransitionListener())
        .thenReturn(mock(ContainerStateTransitionListener.class));
    record(AuxServicesEventType.class);
    record(LocalizationEventType.class);
    record(SharedCacheUploadEventType.class);
    record(ContainersLauncherEventType.class);
    RecoveredContainerState state = mock(RecoveredContainerState.class);
    when(state.getStatus()).thenReturn(status);
    when(state.getDiagnostics()).thenReturn("");
    ContainerImpl container =
        new ContainerImpl(
            yarn.context().getConf(),
            yarn.dispatcher(),
            ContainerLaunchContext.newInstance(
                Map.of(FILE, file), Map.of(), List.of("true"), Map.of(), null, Map.of()),
            new Credentials(),
            mock(NodeManagerMetrics.class),
            yarn.opportunistic(1, StockYarn.NODE_MB).getContainerTokenIdentifier(),
            yarn.context(),
            state);
    yarn.recover(container, status);
    return container;
  }

  private void record(Class<? extends Enum<?>> type) {
    yarn.dispatcher().register(type, event -> events.add(event.getType()));
  }

  private boolean isQueued(ContainerImpl container) {
    return queue.containsKey(container.getContainerId());
  }

  private static LocalResource file() {
    return LocalResource.newInstance(
        URL.fromPath(new org.apache.hadoop.fs.Path("file:/staging/" + FILE)),
        LocalResourceType.FILE,
        LocalResourceVisibility.APPLICATION,
        1,
        1);
  }
}
