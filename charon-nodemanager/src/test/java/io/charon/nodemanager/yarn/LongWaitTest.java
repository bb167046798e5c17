/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.FakeYarn;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.TestSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests containers that wait too long on a node, with a real tick. */
@Tag("hadoop")
class LongWaitTest {
  private static final String RUNS = StockYarn.id(1).toString();
  private static final String WAITS = StockYarn.id(2).toString();

  @TempDir Path proc;
  private final AtomicInteger ticks = new AtomicInteger();
  private StockYarn yarn;
  private CharonNode node;

  @AfterEach
  void close() {
    node.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isHandedBackUnlessItRuns(boolean dropIn) throws Exception {
    bringUp(
        dropIn ? new StockYarn(2) : new StockYarn(2, CharonContainerScheduler::new),
        "scheduler.max-wait-ms",
        "1");

    await(() -> yarn.kills().containsKey(WAITS));
    assertThat(yarn.kills()).containsOnlyKeys(WAITS);
    assertThat(ContainerEnd.ofSchedulerKill(yarn.kills().get(WAITS)))
        .isEqualTo(ContainerEnd.HANDED_BACK);
    await(() -> !node.gate().orElseThrow().anyWaiting());
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isZero();
    assertThat(node.gate().orElseThrow().isRunning(RUNS)).isTrue();
  }

  @Test
  void areOnlyContainersThatWaitedForThatLong() throws Exception {
    bringUp(new StockYarn(2), "scheduler.max-wait-ms", "86400000");
    assertThatItStays();
  }

  @Test
  void isNobodyIfTheOperatorConfiguresIt() throws Exception {
    bringUp(new StockYarn(2), "scheduler.max-wait-ms", "0");
    assertThatItStays();
  }

  private void assertThatItStays() throws InterruptedException {
    int before = ticks.get();
    await(() -> ticks.get() >= before + 3);
    assertThat(yarn.kills()).isEmpty();
    assertThat(node.gate().orElseThrow().waitingInOrder()).containsExactly(WAITS);
  }

  /** Starts a node on which one container runs and the other one waits for memory. */
  private void bringUp(StockYarn scheduler, String key, String value) throws Exception {
    Files.writeString(proc.resolve("meminfo"), "MemTotal: 1024000 kB\nMemAvailable: 0 kB\n");
    yarn = scheduler;
    node =
        new CharonNode(
            TestSettings.of("cgroup.enabled", "false", "node.tick-ms", "100", key, value),
            Surroundings.ofThisMachine(proc),
            new FakeYarn());
    new YarnAdmission(node, yarn.scheduler(), yarn.dispatcher()).queue().recovered(Set.of());
    node.signals().onTick(ticks::incrementAndGet);
    node.gate()
        .orElseThrow()
        .adopt(Containers.info(yarn.opportunistic(1, StockYarn.NODE_MB)).launchRequest());
    yarn.schedule(yarn.opportunistic(2, StockYarn.NODE_MB));
    node.start();
  }
}
