/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static io.charon.nodemanager.Await.await;
import static org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState.LOCALIZING;
import static org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState.NEW;
import static org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState.SCHEDULED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.local.LocalFs;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.api.ContainerTerminationContext;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerScheduler;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the parts that YARN loads, started in YARN's order around its real ContainerScheduler. */
@Tag("hadoop")
class CharonPartsTest {
  private static final int HUGE_MB = 1_000_000_000; // exceeds any test machine
  private static final NodeMemory PLENTY = new NodeMemory(100L << 40, 50L << 40);

  @TempDir Path directory;
  private final StockYarn yarn = new StockYarn(2);
  private final CharonContainerExecutor executor = new CharonContainerExecutor();
  private final CharonContainersLauncher launcher = new CharonContainersLauncher();
  private final CharonAuxiliaryService service = new CharonAuxiliaryService();

  @AfterEach
  void stop() {
    service.stop();
    launcher.stop();
  }

  @Test
  void theServiceRunsTheNodeAndForgetsItWhenItStops() throws Exception {
    bringUp(configuration("enforce"));
    CharonNode node = CharonNodes.find(configuration("enforce")).orElseThrow().node();

    service.start();
    await(() -> node.status().node() != null); // the machine's own memory
    assertThat(service.getMetaData()).isEqualTo(ByteBuffer.allocate(0));

    service.stop();
    assertThat(CharonNodes.find(configuration("enforce"))).isEmpty();
  }

  @Test
  void theServiceHearsHowContainersEnd() throws Exception {
    bringUp(configuration("enforce"));
    CharonNode node = CharonNodes.find(configuration("enforce")).orElseThrow().node();
    Container container = yarn.opportunistic(1, 100);
    when(container.cloneAndGetContainerStatus())
        .thenReturn(
            ContainerStatus.newInstance(
                StockYarn.id(1),
                ContainerState.COMPLETE,
                "Container De-queued to meet NM queuing limits.",
                ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER));

    service.stopContainer(
        new ContainerTerminationContext("alice", StockYarn.id(1), container.getResource()));

    assertThat(node.status().launches().counters()).containsEntry("shed", 1L);
  }

  @Test
  void theLauncherPutsTheGateInCharge() throws Exception {
    bringUp(configuration("enforce"));
    LaunchGate gate = gate();
    gate.observed(PLENTY, Map.of());

    yarn.schedule(yarn.opportunistic(1, 10 * StockYarn.NODE_MB));

    assertThat(yarn.launches()).hasSize(1);
    assertThat(gate.isRunning(StockYarn.id(1).toString())).isTrue();
  }

  @Test
  void aRunningContainerThatIsPromotedIsChargedNoMoreAndOneThatIsDemotedIs() throws Exception {
    bringUp(configuration("enforce"));
    CharonNode node = CharonNodes.find(configuration("enforce")).orElseThrow().node();
    LaunchGate gate = gate();
    gate.observed(PLENTY, Map.of());
    Container container = yarn.opportunistic(1, StockYarn.NODE_MB);
    yarn.schedule(container);
    node.lifecycle().starting(Containers.info(container));
    Container production = yarn.guaranteed(2, StockYarn.NODE_MB);
    node.lifecycle().starting(Containers.info(production));
    for (int number = 1; number <= 2; number++) {
      executor.activateContainer(StockYarn.id(number), process());
    }
    service.start();

    yarn.promote(container);
    await(() -> !gate.isRunning(StockYarn.id(1).toString()));
    ContainerTokenIdentifier demoted =
        yarn.opportunistic(2, StockYarn.NODE_MB).getContainerTokenIdentifier();
    when(production.getContainerTokenIdentifier()).thenReturn(demoted);
    yarn.context().getContainers().put(StockYarn.id(2), production);
    await(() -> gate.isRunning(StockYarn.id(2).toString()));

    assertThat(gate.runningOldestFirst()).containsExactly(StockYarn.id(2).toString());
  }

  private org.apache.hadoop.fs.Path process() throws IOException {
    Path file = Files.writeString(directory.resolve("pid"), "77\n");
    return new org.apache.hadoop.fs.Path(file.toString());
  }

  @Test
  void offLeavesStockYarnInCharge() throws Exception {
    bringUp(configuration("off"));

    yarn.schedule(yarn.opportunistic(1, 10 * StockYarn.NODE_MB));
    yarn.schedule(yarn.opportunistic(2, StockYarn.NODE_MB));
    yarn.schedule(yarn.opportunistic(3, StockYarn.NODE_MB));

    assertThat(yarn.launches()).isEmpty();
    assertThat(yarn.kills()).hasSize(1);
  }

  @Test
  void whereYarnsSchedulerCannotBeTakenOverStockYarnDecidesInEveryMode() throws Exception {
    refuseToBeTakenOver();
    bringUp(configuration("enforce"));

    yarn.schedule(yarn.opportunistic(1, 10 * StockYarn.NODE_MB));
    yarn.schedule(yarn.opportunistic(2, StockYarn.NODE_MB));
    yarn.schedule(yarn.opportunistic(3, StockYarn.NODE_MB));

    assertThat(yarn.launches()).isEmpty();
    assertThat(yarn.kills()).hasSize(1);
    assertThat(gate().view().waiting()).isEmpty();
  }

  @Test
  void whereYarnsSchedulerCannotBeTakenOverNothingStartsIfSoConfigured() {
    refuseToBeTakenOver();
    Configuration configuration = configuration("enforce");
    configuration.setBoolean("yarn.nodemanager.charon.fail-fast", true);

    assertThatThrownBy(() -> bringUp(configuration))
        .isInstanceOf(YarnRuntimeException.class)
        .hasMessageContaining("ContainerScheduler")
        .hasCauseInstanceOf(ReflectiveOperationException.class);
  }

  /** Simulates another Hadoop version, or a JDK that does not allow setting final fields. */
  private void refuseToBeTakenOver() {
    when(yarn.manager().getContainerScheduler()).thenReturn(mock(ContainerScheduler.class));
  }

  @Test
  void withoutANodeThePartsAreThoseOfYarn() throws Exception {
    bringUp(configuration("nonsense"));

    assertThatCode(service::start).doesNotThrowAnyException();
    yarn.schedule(yarn.opportunistic(1, StockYarn.NODE_MB));
    assertThat(yarn.launches()).hasSize(1);
    assertThat(CharonNodes.find(configuration("nonsense"))).isEmpty();
  }

  @Test
  void oneFromBeforeTheRestartThatIsLocalizedForLongDoesNotKeepTheQueueOpen() throws Exception {
    bringUp(configuration("enforce"));
    Container slow = yarn.opportunistic(1, HUGE_MB);
    when(slow.getContainerState()).thenReturn(LOCALIZING);
    for (int number = 2; number <= 4; number++) {
      yarn.recover(yarn.opportunistic(number, HUGE_MB), RecoveredContainerStatus.QUEUED);
    }
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isZero();
    service.start();
    await(() -> ticks() >= 2);

    for (int number = 5; number <= 7; number++) {
      yarn.schedule(yarn.opportunistic(number, HUGE_MB));
    }

    assertThat(yarn.kills()).containsOnlyKeys(StockYarn.id(7).toString());
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isEqualTo(2);
  }

  /** YARN would not look at it again before another container comes or ends. */
  @Test
  void productionThatWaitedDuringTheRestartStartsAsSoonAsItIsReady() throws Exception {
    bringUp(configuration("enforce"));
    Container production = yarn.guaranteed(1, StockYarn.NODE_MB);
    when(production.getContainerState()).thenReturn(NEW);
    yarn.recover(production, RecoveredContainerStatus.QUEUED);
    service.start();
    await(() -> ticks() >= 2);
    assertThat(yarn.launches()).isEmpty();

    when(production.getContainerState()).thenReturn(SCHEDULED);

    await(() -> yarn.launches().contains(StockYarn.id(1).toString()));
  }

  private void bringUp(Configuration configuration) throws Exception {
    executor.setConf(configuration);
    executor.init(yarn.context());
    launcher.init(
        yarn.context(),
        yarn.dispatcher(),
        executor,
        mock(LocalDirsHandlerService.class),
        yarn.manager());
    launcher.init(configuration);
    service.init(configuration);
  }

  private static LaunchGate gate() {
    return CharonNodes.find(configuration("enforce")).orElseThrow().node().gate().orElseThrow();
  }

  private static long ticks() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName any = new ObjectName("charon:name=charon_tick_seconds,*");
      return (long) server.getAttribute(server.queryNames(any, null).iterator().next(), "Count");
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }

  private static Configuration configuration(String mode) {
    Configuration configuration = CharonNodesTest.installed();
    configuration.set("yarn.nodemanager.charon.mode", mode);
    configuration.set("yarn.nodemanager.charon.node.tick-ms", "100");
    configuration.set("fs.AbstractFileSystem.file.impl", LocalFs.class.getName());
    return configuration;
  }
}
