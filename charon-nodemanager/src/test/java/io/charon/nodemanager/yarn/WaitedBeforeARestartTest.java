/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.FakeYarn;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.TestSettings;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainersLauncherEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.localizer.event.LocalizationEventType;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a real container of YARN that waited in a queue when an earlier NodeManager ended. */
@Tag("hadoop")
class WaitedBeforeARestartTest {
  private static final long MIB = 1 << 20;

  @TempDir Path proc;
  private final StockYarn yarn = new StockYarn(5);
  private BestEffortQueue queue;

  @Test
  void itIsLocalizedAgainAndStartsWithItsFiles() throws Exception {
    CharonNode node = takeOver("enforce");
    RecoveredContainer container = bestEffort(RecoveredContainerStatus.QUEUED);
    assertThat(container.isIn(queue)).as("it would hold up the others").isFalse();

    container.initialize();
    assertThat(container.state()).isEqualTo(ContainerState.LOCALIZING);
    assertThat(yarn.unhandled()).contains(LocalizationEventType.LOCALIZE_CONTAINER_RESOURCES);

    container.localized();
    yarn.deliver();
    assertThat(container.isIn(queue)).isTrue();
    assertThat(isLaunched()).isFalse();

    node.gate()
        .orElseThrow()
        .observed(new NodeMemory(100_000 * MIB, 10 * StockYarn.NODE_MB * MIB), Map.of());
    processQueue();
    assertThat(isLaunched()).isTrue();
    assertThat(container.hasItsFile()).isTrue();
  }

  /** YARN says of production that it waits until its launch has been prepared. */
  @Test
  void productionThatWasAboutToStartStartsWithItsFilesToo() throws Exception {
    takeOver("enforce");
    RecoveredContainer container = production();

    container.initialize();
    processQueue();
    assertThat(container.state()).isEqualTo(ContainerState.LOCALIZING);
    assertThat(isLaunched()).isFalse();

    container.localized();
    yarn.deliver();
    assertThat(isLaunched()).isTrue();
    assertThat(container.hasItsFile()).isTrue();
    assertThat(yarn.scheduler().getNumQueuedGuaranteedContainers()).isZero();
  }

  @Test
  void oneThatWasPausedIsQueuedAtOnce() throws Exception {
    takeOver("enforce");

    assertThat(bestEffort(RecoveredContainerStatus.PAUSED).isIn(queue)).isTrue();
  }

  @Test
  void whereYarnDecidesItDoesWhatItDoes() throws Exception {
    takeOver("observe");
    RecoveredContainer container = bestEffort(RecoveredContainerStatus.QUEUED);
    assertThat(container.isIn(queue)).isTrue();
    production();
    assertThat(yarn.scheduler().getNumQueuedGuaranteedContainers()).isEqualTo(1);

    container.initialize();
    assertThat(container.state()).isEqualTo(ContainerState.SCHEDULED);
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

  private RecoveredContainer bestEffort(RecoveredContainerStatus status) throws Exception {
    return new RecoveredContainer(yarn, 1, ExecutionType.OPPORTUNISTIC, status);
  }

  private RecoveredContainer production() throws Exception {
    return new RecoveredContainer(
        yarn, 2, ExecutionType.GUARANTEED, RecoveredContainerStatus.QUEUED);
  }

  private void processQueue() {
    new StockScheduler(yarn.scheduler(), yarn.dispatcher()).processQueue();
  }

  private boolean isLaunched() {
    return yarn.unhandled().contains(ContainersLauncherEventType.LAUNCH_CONTAINER);
  }
}
