/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.FakeYarn;
import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.report.metrics.AlertTimeline;
import io.charon.nodemanager.report.metrics.Metric;
import io.charon.nodemanager.report.metrics.NodeMetric;
import io.charon.nodemanager.report.metrics.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Produces the condition of each alert on a running node, and checks that its metrics make the
 * alert fire. The loss of the kernel killer is in KernelKillerAdapterTest, a node that does not
 * answer in PrometheusIT.
 */
@Tag("hadoop")
@Tag("long")
class AlertsFireTest {
  private final FakeYarn yarn = new FakeYarn();
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final long MIB = 1 << 20;
  private static final ContainerControl.Killer NO_KILLS =
      containerId -> {
        throw new AssertionError(containerId);
      };

  @TempDir private Path proc;
  @TempDir private Path promtool;

  /** Additional work of each tick. */
  private final AtomicReference<Runnable> tickDoes = new AtomicReference<>(() -> {});

  private final AtomicLong ticks = new AtomicLong();
  private CharonNode node;

  @AfterEach
  void close() {
    if (node != null) {
      node.close();
    }
  }

  @Test
  void unreadableMemoryLeavesNoKillerInChargeAndFailsInEachTick() throws IOException {
    start(NO_KILLS);
    run("container_1");
    AlertTimeline timeline = healthy(Duration.ofMinutes(1));

    Files.writeString(proc.resolve("meminfo"), "garbage");
    await(() -> value(NodeMetric.KILLER_IN_CHARGE) == 0 && value(NodeMetric.NODE_CAPACITY) == 0);
    for (int minute = 0; minute < 30; minute++) {
      afterAnotherTick();
      timeline.scrape(node.metricsText());
    }

    timeline.assertFires(
        "CharonNodeMemoryUnreadable", "CharonNoKillerInCharge", "CharonFailuresRise");
  }

  @Test
  void noKillerIsInChargeWithoutTheKernelKillerAndAThresholdOfZero() throws IOException {
    start(NO_KILLS, "killer.threshold-percent", "0");
    afterAnotherTick();

    new AlertTimeline(promtool, Duration.ofSeconds(15))
        .scrape(node.metricsText())
        .holdFor(Duration.ofMinutes(2))
        .assertFires("CharonNoKillerInCharge");

    assertThat(Files.readString(Path.of("..", "conf", "prometheus", "charon-alerts.yml")))
        .contains("where yarn.nodemanager.charon.killer.threshold-percent is above 0");
    node.close();
    start(NO_KILLS, "killer.threshold-percent", "10");
    await(() -> value(NodeMetric.KILLER_IN_CHARGE) == 1);
  }

  @Test
  void manyKillsAreTold() throws IOException {
    BlockingQueue<String> killed = new LinkedBlockingQueue<>();
    start(killed::add);
    AlertTimeline timeline = healthy(Duration.ofMinutes(1));

    for (int container = 1; container <= 12; container++) {
      run("container_" + container);
    }
    meminfo(1000, 50);
    for (int kill = 1; kill <= 12; kill++) {
      node.lifecycle().ended(poll(killed), ContainerEnd.KILLED_FOR_MEMORY);
    }

    timeline
        .scrape(node.metricsText())
        .holdFor(Duration.ofMinutes(20))
        .assertFires("CharonManyKills");
  }

  @Test
  void killsByAnOperatorsStopAreNoKillsForMemory() throws Exception {
    BlockingQueue<String> killed = new LinkedBlockingQueue<>();
    yarn.phases(containerId -> Phase.RUNNING);
    start(killed::add);
    AlertTimeline timeline = healthy(Duration.ofMinutes(1));
    for (int container = 1; container <= 12; container++) {
      run("container_" + container);
    }

    node.follow(
        SettingsSource.open(
                TestSettings.configuration("stop.action", "kill"),
                System.getProperty("user.name"),
                MechanismList.keys())
            .source());
    for (int kill = 1; kill <= 12; kill++) {
      String containerId = poll(killed);
      assertThat(node.lifecycle().killedForMemory(containerId)).isFalse();
      node.lifecycle().ended(containerId, ContainerEnd.OTHER);
    }

    assertThat(value(NodeMetric.KILLS)).isEqualTo(12);
    timeline.scrape(node.metricsText()).holdFor(Duration.ofMinutes(20)).assertQuiet();
  }

  @Test
  void aTickThatHangsIsTold() throws IOException {
    CountDownLatch goOn = new CountDownLatch(1);
    start(NO_KILLS);
    AlertTimeline timeline = healthy(Duration.ofSeconds(15));
    try {
      tickDoes.set(() -> awaitUnchecked(goOn));
      await(() -> value(NodeMetric.TICK_AGE) > 10);
      timeline
          .scrape(node.metricsText())
          .holdFor(Duration.ofSeconds(45))
          .assertFires("CharonTickLate");
    } finally {
      goOn.countDown();
    }
  }

  @Test
  void ticksThatTakeLongAreTold() throws IOException {
    start(NO_KILLS);
    AlertTimeline timeline = healthy(Duration.ofMinutes(2));

    tickDoes.set(() -> sleep(Duration.ofMillis(550)));
    for (int scrape = 0; scrape < 9; scrape++) {
      afterAnotherTick();
      timeline.scrape(node.metricsText());
    }

    timeline.assertFires("CharonTickSlow");
  }

  @Test
  void aFullQueueThatRefusesIsTold() throws IOException {
    start(NO_KILLS);
    AlertTimeline timeline = healthy(Duration.ofMinutes(5));

    meminfo(1000, 100); // the amount that the killer keeps free
    await(() -> value(NodeMetric.MEMORY_SNAPSHOT) == 0);
    LaunchGate gate = node.gate().orElseThrow();
    for (int place = 1; place <= value(NodeMetric.QUEUE_LIMIT); place++) {
      ContainerInfo task = ContainerInfos.bestEffort("container_" + place, 100 * MIB);
      assertThat(gate.request(task.launchRequest()).outcome()).isEqualTo(Outcome.QUEUED);
    }
    for (int scrape = 0; scrape < 8; scrape++) {
      node.lifecycle()
          .ended(
              "container_refused_" + scrape,
              ContainerEnd.REJECTED); // YARN enforces the limit of the queue
      timeline.scrape(node.metricsText());
    }

    timeline.assertFires("CharonQueueFull");
  }

  /** Returns a timeline of an hour without any problem. */
  private AlertTimeline healthy(Duration between) {
    afterAnotherTick();
    return new AlertTimeline(promtool, between)
        .scrape(node.metricsText())
        .holdFor(Duration.ofHours(1))
        .assertQuiet();
  }

  private void start(ContainerControl.Killer killer, String... keysAndValues) throws IOException {
    meminfo(1000, 900);
    String[] all =
        Stream.concat(
                Arrays.stream(keysAndValues),
                Stream.of("cgroup.enabled", "false", "node.tick-ms", "100"))
            .toArray(String[]::new);
    node = new CharonNode(TestSettings.of(all), Surroundings.ofThisMachine(proc), yarn);
    yarn.rootProcesses(
        () -> {
          tickDoes.get().run();
          return Map.of();
        });
    node.signals().onTick(ticks::incrementAndGet);
    yarn.killer(killer);
    node.start();
  }

  private void run(String containerId) {
    ContainerInfo task = ContainerInfos.bestEffort(containerId, 10 * MIB);
    LaunchGate gate = node.gate().orElseThrow();
    await(() -> gate.request(task.launchRequest()).outcome() == Outcome.LAUNCHED);
    node.lifecycle().starting(task);
  }

  private void afterAnotherTick() {
    long next = ticks.get() + 1;
    await(() -> ticks.get() >= next);
  }

  private double value(Metric metric) {
    return node.readMetrics().stream()
        .filter(family -> family.metric() == metric)
        .flatMap(family -> family.samples().stream())
        .mapToDouble(Sample::value)
        .sum();
  }

  private void meminfo(long totalMib, long availableMib) throws IOException {
    Files.writeString(
        proc.resolve("meminfo"),
        "MemTotal: %d kB%nMemAvailable: %d kB%n".formatted(totalMib * 1024, availableMib * 1024));
  }

  private static String poll(BlockingQueue<String> queue) {
    try {
      String first = queue.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      assertThat(first).as("somebody is killed").isNotNull();
      return first;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
