/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.core.scheduler.LaunchVerdict.Reason;
import io.charon.core.scheduler.PeakSample;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.report.metrics.NodeMetric;
import io.charon.nodemanager.report.metrics.Sample;
import io.charon.nodemanager.report.status.RegulatorDocument;
import io.charon.nodemanager.report.status.StatusDocument;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the agent on a directory that simulates /proc, with its real threads and a tick of 100 ms.
 */
@Tag("hadoop")
class CharonNodeTest {
  private final FakeYarn yarn = new FakeYarn();
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final long MIB = 1 << 20;
  private static final ContainerControl.Killer NO_KILLS =
      containerId -> {
        throw new AssertionError(containerId);
      };

  @TempDir Path proc;
  private CharonNode node;

  @AfterEach
  void close() {
    if (node != null) {
      node.close();
    }
  }

  @Test
  void unreadableMemoryStopsBestEffortOnlyAndOnlyMeanwhile() throws IOException {
    start(NO_KILLS, "cgroup.enabled", "false");
    LaunchGate gate = node.gate().orElseThrow();
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 100 * MIB);

    await(() -> failures() >= 2); // every failing tick is counted
    assertThat(gate.request(task.launchRequest()).verdict().reason())
        .isEqualTo(Reason.MEMORY_UNKNOWN);
    assertThat(node.status().node()).isNull();
    ContainerInfo production = ContainerInfos.production("container_2", 100 * MIB);
    assertThat(gate.request(production.launchRequest()).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(node.lifecycle().starting(production).orElseThrow().command()).contains("/bin/sh");

    BlockingQueue<String> launchable = new LinkedBlockingQueue<>();
    node.signals().onLaunchable(() -> launchable.add("now"));
    meminfo(1000, 600);
    assertThat(poll(launchable)).isEqualTo("now");
    assertThat(node.status().node())
        .isEqualTo(new StatusDocument.Node("host", 1000 * MIB, 600 * MIB));
    await(() -> gate.request(task.launchRequest()).outcome() == Outcome.LAUNCHED);

    Files.writeString(proc.resolve("meminfo"), "garbage");
    await(() -> node.status().node() == null);
    // The gate is updated shortly after the status.
    AtomicInteger number = new AtomicInteger(3);
    await(
        () ->
            gate.request(
                        ContainerInfos.bestEffort("container_" + number.getAndIncrement(), MIB)
                            .launchRequest())
                    .verdict()
                    .reason()
                == Reason.MEMORY_UNKNOWN);
  }

  @Test
  void launchesGetWhatTheKillerDoesNotKeepFree() throws IOException {
    meminfo(1000, 600);
    start(NO_KILLS, "cgroup.enabled", "false", "killer.threshold-percent", "25");

    await(() -> node.status().node() != null);
    await(() -> node.status().launches().snapshotBytes() > 0);
    assertThat(node.status().launches().snapshotBytes())
        .as("350 MiB, less the margin of 5 % for growth that nobody foresaw")
        .isEqualTo(300 * MIB);
  }

  @Test
  void bestEffortWaitsWhileThreadsWaitForTheProcessors() throws IOException {
    meminfo(1000, 600);
    runnable(6);
    start(NO_KILLS, "cgroup.enabled", "false", "scheduler.runnable-per-core", "2");
    LaunchGate gate = node.gate().orElseThrow();
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 100 * MIB);
    await(() -> gate.request(task.launchRequest()).verdict().reason() == Reason.PROCESSORS_BUSY);
    assertThat(node.status().launches().snapshotBytes()).isZero();

    runnable(1);
    await(() -> gate.request(task.launchRequest()).outcome() == Outcome.LAUNCHED);
  }

  private void runnable(int threads) throws IOException {
    Files.writeString(
        proc.resolve("stat"),
        "cpu 1 1 1 1 1 1 1\ncpu0 1 1 1 1 1 1 1\ncpu1 1 1 1 1 1 1 1\nprocs_running "
            + threads
            + "\n");
  }

  @Test
  void peaksThatWereLearnedSurviveARestart() throws IOException {
    meminfo(1000, 600);
    Path file = proc.resolve("peaks.json");
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 100 * MIB);
    start(NO_KILLS, "cgroup.enabled", "false", "scheduler.profile.file", file.toString());
    await(() -> node.gate().orElseThrow().view().launchableBytes() > 0);
    LaunchGate gate = node.gate().orElseThrow();
    await(() -> gate.request(task.launchRequest()).outcome() == Outcome.LAUNCHED);
    assertThat(gate.ended("container_1", 7 * MIB, ContainerEnd.COMPLETED)).isPresent();
    node.close();

    start(NO_KILLS, "cgroup.enabled", "false", "scheduler.profile.file", file.toString());
    assertThat(node.gate().orElseThrow().learned().peaks())
        .singleElement()
        .satisfies(
            known -> {
              assertThat(known.job()).isEqualTo(task.job());
              assertThat(known.samples())
                  .singleElement()
                  .returns(7 * MIB, PeakSample::peakBytes)
                  .returns(100 * MIB, PeakSample::requestedBytes)
                  .returns(true, PeakSample::own);
            });
  }

  @Test
  void launchesGetNothingWhereTheKillersShareIsUsed() throws IOException {
    meminfo(1000, 100);
    start(NO_KILLS, "cgroup.enabled", "false", "killer.threshold-percent", "25");
    LaunchGate gate = node.gate().orElseThrow();
    gate.request(ContainerInfos.bestEffort("container_1", 1).launchRequest());

    await(
        () ->
            gate.request(ContainerInfos.bestEffort("container_1", 1).launchRequest())
                    .verdict()
                    .reason()
                == Reason.MEMORY);
  }

  @Test
  void lowMemoryKillsTheNewestSaysWhyAndDelaysLaunches() throws IOException {
    meminfo(1000, 900);
    BlockingQueue<String> killed = new LinkedBlockingQueue<>();
    start(killed::add, "cgroup.enabled", "false");
    LaunchGate gate = node.gate().orElseThrow();
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 100 * MIB);
    await(() -> gate.request(task.launchRequest()).outcome() == Outcome.LAUNCHED);
    node.lifecycle().starting(task);
    assertThat(node.lifecycle().killReason("container_1")).isEmpty();

    meminfo(1000, 99);
    assertThat(poll(killed)).isEqualTo("container_1");
    assertThat(node.lifecycle().killReason("container_1"))
        .contains("user-space killer: 99 MiB of 1000 MiB left, threshold 100 MiB");

    meminfo(1000, 900);
    node.lifecycle().released("container_1", false);
    node.lifecycle().ended("container_1", ContainerEnd.KILLED_FOR_MEMORY);
    assertThat(node.status().launches().counters())
        .containsEntry("killed", 1L)
        .containsEntry("launched", 1L);
    assertThat(node.status().launches().launchesDelayedSeconds()).isBetween(0.1, 5.0);
    assertThat(node.status().launches().running()).isEmpty();
    assertThat(node.lifecycle().killReason("container_1")).isEmpty();
  }

  @Test
  void thresholdMakesRoomForProductionBeforeItNeedsIt() throws IOException {
    meminfo(1000, 900);
    BlockingQueue<String> killed = new LinkedBlockingQueue<>();
    start(killed::add, "cgroup.enabled", "false", "mode", "threshold");
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 1);
    node.gate().orElseThrow().adopt(task.launchRequest());
    node.lifecycle().reacquired(task);

    node.productionStarts(801 * MIB);

    assertThat(poll(killed)).isEqualTo("container_1");
  }

  /** YARN hands a recovered container to the gate before it knows its process. */
  @Test
  @Tag("must-never")
  void afterARestartNoneIsKilledBeforeItHasBeenFoundAgain() throws IOException {
    meminfo(1000, 50);
    BlockingQueue<String> killed = new LinkedBlockingQueue<>();
    ContainerInfo first = ContainerInfos.bestEffort("container_1", MIB);
    node =
        new CharonNode(
            TestSettings.of("cgroup.enabled", "false", "node.tick-ms", "100"),
            Surroundings.ofThisMachine(proc),
            yarn);
    yarn.killer(killed::add);
    LaunchGate gate = node.gate().orElseThrow();
    gate.adopt(first.launchRequest());
    gate.adopt(ContainerInfos.bestEffort("container_2", MIB).launchRequest());
    BlockingQueue<String> ticks = new LinkedBlockingQueue<>();
    node.signals().onTick(() -> ticks.add("tick"));
    node.start();
    poll(ticks);
    poll(ticks);
    assertThat(killed).isEmpty();

    node.lifecycle().reacquired(first);

    assertThat(poll(killed)).isEqualTo("container_1");
  }

  @Test
  void charonWaitsUntilProductionNeedsIt() throws IOException {
    meminfo(1000, 900);
    start(NO_KILLS, "cgroup.enabled", "false");
    node.gate().orElseThrow().adopt(ContainerInfos.bestEffort("container_1", 1).launchRequest());
    node.productionStarts(801 * MIB);

    BlockingQueue<String> ticks = new LinkedBlockingQueue<>();
    node.signals().onTick(() -> ticks.add("tick"));
    poll(ticks);
    poll(ticks);

    assertThat(node.lifecycle().killReason("container_1")).isEmpty();
    assertThat(node.status().launches().launchesDelayedSeconds()).isZero();
  }

  @Test
  void offLeavesLaunchesToStockYarnAndStillMeasures() throws IOException {
    meminfo(1000, 10);
    start(NO_KILLS, "cgroup.enabled", "false", "mode", "off");

    assertThat(node.gate()).isEmpty();
    await(() -> node.status().node() != null);
    node.lifecycle().ended("container_1", ContainerEnd.REJECTED);
    assertThat(node.status().launches().counters()).containsEntry("rejected", 1L);
  }

  @Test
  void whatCannotBeObservedWithoutCgroupsIsNamedAndTheNodeRuns() throws IOException {
    meminfo(1000, 600);
    start(
        NO_KILLS,
        "cgroup.enabled",
        "false",
        "regulator.cpu.mode",
        "observe",
        "regulator.cores.mode",
        "observe",
        "regulator.network.mode",
        "observe",
        "freeze.mode",
        "observe");

    await(() -> node.status().node() != null);
    assertThat(node.status().mechanisms().regulators())
        .filteredOn(regulator -> regulator.mode().equals("observe"))
        .hasSize(3)
        .allSatisfy(regulator -> assertThat(regulator.unavailable()).isNotBlank());
    assertThat(node.status().mechanisms().freeze().unavailable()).contains("cgroup.enabled");
  }

  @Test
  void theMemoryRegulatorObservesAndChangesNothing() throws IOException {
    meminfo(1000, 600);
    Path audit = proc.resolve("audit");
    start(
        NO_KILLS,
        "cgroup.enabled",
        "false",
        "regulator.memory.mode",
        "observe",
        "regulator.memory.window-ms",
        "1000",
        "audit.directory",
        audit.toString());

    await(() -> regulator().signal().mean() != null);
    assertThat(regulator().mode()).isEqualTo("observe");
    assertThat(regulator().signal().mean()).isEqualTo(400.0 * MIB);
    assertThat(regulator().limit().limit()).isEqualTo(600.0 * MIB);

    meminfo(1000, 300);
    await(() -> regulator().limit().limit() == 300.0 * MIB);
    await(() -> contains(audit.resolve("audit.jsonl"), "\"action\":\"tighten\""));
    // The launch decision is the same as without the regulator, once a reading is new enough for
    // it: on a busy machine, one may be too old.
    LaunchGate gate = node.gate().orElseThrow();
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 200 * MIB);
    await(() -> gate.request(task.launchRequest()).outcome() == Outcome.LAUNCHED);
  }

  @Test
  void withoutBeingAskedNoRegulatorRuns() throws IOException {
    meminfo(1000, 600);
    start(NO_KILLS, "cgroup.enabled", "false");
    await(() -> node.status().node() != null);
    assertThat(node.status().mechanisms().regulators())
        .extracting(RegulatorDocument::mode)
        .containsOnly("off");
    assertThat(node.status().mechanisms().regulators())
        .extracting(regulator -> regulator.limit().limit())
        .containsOnlyNulls();
  }

  @Test
  void aRegulatorIsTurnedOnAndOffWhileTheNodeRuns() throws Exception {
    meminfo(1000, 600);
    Path overrides = Files.createDirectory(proc.resolve("charon")).resolve("overrides.properties");
    SettingsSource.Opened opened =
        SettingsSource.open(
            TestSettings.configuration(
                "cgroup.enabled", "false",
                "node.tick-ms", "100",
                "overrides-file", overrides.toString()),
            System.getProperty("user.name"),
            MechanismList.keys());
    node = new CharonNode(opened.settings(), Surroundings.ofThisMachine(proc), yarn);
    node.follow(opened.source());
    node.start();
    await(() -> node.status().node() != null);
    assertThat(regulator().mode()).isEqualTo("off");

    Files.writeString(overrides, "yarn.nodemanager.charon.regulator.memory.mode=observe");
    await(() -> regulator().mode().equals("observe") && regulator().limit().limit() != null);
    assertThat(node.status().operator().configuration().overrides()).hasSize(1);

    Files.delete(overrides);
    await(() -> regulator().mode().equals("off"));
    assertThat(node.status().operator().configuration().overrides()).isEmpty();
  }

  @Test
  void anObservingNodeSaysWhatItWouldDoAndDoesNothing() throws IOException {
    meminfo(1000, 600);
    node =
        new CharonNode(
            TestSettings.of(
                "cgroup.enabled", "false",
                "node.tick-ms", "100",
                "audit.directory", proc.resolve("audit").toString(),
                "mode", "observe"),
            Surroundings.ofThisMachine(proc),
            yarn);
    ContainerInfo waits = ContainerInfos.bestEffort("container_2", 100 * MIB);
    yarn.waiting(() -> List.of(waits));
    node.start();

    assertThat(node.gate()).isEmpty();
    await(() -> node.status().observation().difference().startedEarlier() == 1);
    node.lifecycle().starting(waits);
    meminfo(1000, 50);
    await(() -> node.status().observation().difference().killed() == 1);
    Path lines = proc.resolve("audit/audit.jsonl");
    await(() -> contains(lines, "\"action\":\"kill\",\"target\":\"container_2\""));
    assertThat(Files.readAllLines(lines))
        .anyMatch(line -> line.contains("launch") && line.contains("not applied: observe"));
    assertThat(node.lifecycle().killReason("container_2")).isEmpty();
  }

  /**
   * The foreground's use alternates between 300 and 500 MiB while its range is learned. A late tick
   * gives one of them more weight. However late ticks within the window are, the upper end of the
   * range is below 565 MiB and the deviation is 50 to 130 MiB.
   */
  @Test
  void anObservingNodeOffersNoMoreThanAnEnforcingOneWould() throws IOException {
    meminfo(1000, 600);
    start(NO_KILLS, "cgroup.enabled", "false", "killer.threshold-percent", "25", "mode", "observe");

    await(() -> node.status().observation().launchableBytes() > 0);
    assertThat(node.status().observation().launchableBytes())
        .as("350 MiB, less the margin of 5 %")
        .isEqualTo(300 * MIB);
  }

  @Test
  void anEnforcedReserveHoldsLaunchesBackAndEndsTheNewest() throws IOException {
    meminfo(1000, 500);
    BlockingQueue<String> killed = new LinkedBlockingQueue<>();
    Path audit = proc.resolve("audit");
    node =
        new CharonNode(
            TestSettings.of(
                "cgroup.enabled", "false",
                "node.tick-ms", "100",
                "killer.threshold-percent", "0",
                "scheduler.estimate", "peak",
                "scheduler.resync-ms", "100",
                "regulator.memory.mode", "enforce",
                "regulator.memory.window-ms", "2000",
                "regulator.memory.std-factor", "1",
                "audit.directory", audit.toString()),
            Surroundings.ofThisMachine(proc),
            yarn);
    AtomicLong available = new AtomicLong(550);
    AtomicLong tick = new AtomicLong();
    // Only the tick's own thread writes it, so that no tick reads it while it is being written.
    node.signals()
        .onTick(
            () -> {
              long learning = tick.incrementAndGet() % 2 == 0 ? 500 : 700;
              meminfoUnchecked(1000, isReserveKnown() ? available.get() : learning);
            });
    yarn.rootProcesses(() -> Map.of("container_1", 71L, "container_2", 72L));
    yarn.killer(killed::add);
    node.start();
    LaunchGate gate = node.gate().orElseThrow();
    ContainerInfo first = ContainerInfos.bestEffort("container_1", 200 * MIB);
    ContainerInfo second = ContainerInfos.bestEffort("container_2", 200 * MIB);
    ContainerInfo third = ContainerInfos.bestEffort("container_3", 150 * MIB);
    await(() -> gate.request(first.launchRequest()).verdict().reason() == Reason.RESERVED);

    await(() -> gate.request(first.launchRequest()).outcome() == Outcome.LAUNCHED);
    node.lifecycle().starting(first);
    assertThat(gate.request(second.launchRequest()).outcome()).isEqualTo(Outcome.LAUNCHED);
    node.lifecycle().starting(second);
    process(71, 200);
    process(72, 200);
    available.set(150); // the foreground still uses 450 MiB, which is in its range or just above
    await(() -> regulator().limit().bestEffort() == 400.0 * MIB);
    // The third fits into the memory that is available, and not into what the reserve leaves.
    await(() -> gate.request(third.launchRequest()).verdict().reason() == Reason.RESERVED);
    assertThat(killed).isEmpty();

    // The foreground grows by 130 MiB; with its headroom, 290 to 370 MiB are left for the 400 MiB.
    available.set(20);
    assertThat(poll(killed)).isEqualTo("container_2");
    assertThat(node.lifecycle().killReason("container_2"))
        .get()
        .asString()
        .startsWith("memory regulator: ");
    assertThat(node.status().containment().kills().get(0).by()).isEqualTo("regulator");
    Path lines = audit.resolve("audit.jsonl");
    await(() -> contains(lines, "\"action\":\"kill\",\"target\":\"container_2\""));
    assertThat(Files.readAllLines(lines))
        .as("every launch has its line")
        .anyMatch(
            line ->
                line.contains("\"action\":\"launch\",\"target\":\"container_1\"")
                    && line.contains("\"result\":\"applied: started\""));
    assertThat(killed).as("one was enough").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void aPartOfTheTickThatFailsStopsNoOtherPart(Class<? extends Throwable> fault) throws Exception {
    meminfo(1000, 600);
    Throwable injected = fault.getConstructor(String.class).newInstance("injected");
    AtomicBoolean fails = new AtomicBoolean(true);
    node =
        new CharonNode(
            TestSettings.of("cgroup.enabled", "false", "node.tick-ms", "100"),
            Surroundings.ofThisMachine(proc),
            yarn);
    yarn.rootProcesses(
        () -> {
          if (fails.get()) {
            CharonNodeTest.<RuntimeException>sneak(injected);
          }
          return Map.of("container_1", 71L);
        });
    BlockingQueue<String> ticks = new LinkedBlockingQueue<>();
    node.signals()
        .onTick(
            () -> {
              ticks.add("tick");
              CharonNodeTest.<RuntimeException>sneak(injected);
            });
    node.lifecycle().starting(ContainerInfos.bestEffort("container_1", 100 * MIB));
    process(71, 50);
    node.start();

    for (int tick = 0; tick < 3; tick++) {
      assertThat(poll(ticks)).isEqualTo("tick");
    }
    await(() -> node.status().node() != null);
    assertThat(node.gate().orElseThrow().view().launchableBytes()).isPositive();
    assertThat(failures()).isGreaterThanOrEqualTo(4);
    fails.set(false);
    await(() -> node.status().launches().running().get(0).memory().workingSetBytes() == 50 * MIB);
  }

  @Test
  void anErrorOfTheVirtualMachineInATickIsTheDaemonsEnd() throws Exception {
    meminfo(1000, 600);
    BlockingQueue<Throwable> ended = new LinkedBlockingQueue<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    // The NodeManager sets a handler that halts at its start; this one only records.
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> ended.add(error));
    try {
      OutOfMemoryError error = new OutOfMemoryError("injected");
      node =
          new CharonNode(
              TestSettings.of("cgroup.enabled", "false", "node.tick-ms", "100"),
              Surroundings.ofThisMachine(proc),
              yarn);
      yarn.rootProcesses(
          () -> {
            throw error;
          });
      node.start();

      assertThat(ended.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isSameAs(error);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  @Tag("long")
  void duringAHangingTickNothingStartsTheFallbackKillsAndAllReportsShowIt() throws Exception {
    meminfo(1000, 900);
    BlockingQueue<String> killed = new LinkedBlockingQueue<>();
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch hangs = new CountDownLatch(1);
    AtomicBoolean hang = new AtomicBoolean();
    node =
        new CharonNode(
            TestSettings.of("cgroup.enabled", "false", "node.tick-ms", "100"),
            Surroundings.ofThisMachine(proc),
            yarn);
    yarn.rootProcesses(
        () -> {
          if (hang.get()) {
            hangs.countDown();
            awaitUnchecked(goOn);
          }
          return Map.of();
        });
    yarn.killer(killed::add);
    node.start();
    LaunchGate gate = node.gate().orElseThrow();
    ContainerInfo task = ContainerInfos.bestEffort("container_1", 100 * MIB);
    await(() -> gate.request(task.launchRequest()).outcome() == Outcome.LAUNCHED);
    node.lifecycle().starting(task);
    assertThat(tickAgeSeconds()).isLessThan(3);

    hang.set(true);
    assertThat(hangs.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    await(() -> tickAgeSeconds() > 3); // the pages answer although the tick hangs
    ContainerInfo next = ContainerInfos.bestEffort("container_2", MIB);
    await(
        () ->
            // Requested repeatedly: a sample taken between two ticks may be newer than the last
            // tick.
            node.status().launches().snapshotBytes() == 0
                && gate.request(next.launchRequest()).verdict().reason() == Reason.MEMORY_UNKNOWN);
    meminfo(1000, 50);
    assertThat(poll(killed)).isEqualTo("container_1");

    hang.set(false);
    goOn.countDown();
    meminfo(1000, 900);
    node.lifecycle().ended("container_1", ContainerEnd.KILLED_FOR_MEMORY);
    await(() -> tickAgeSeconds() < 3);
    await(() -> gate.request(next.launchRequest()).outcome() == Outcome.LAUNCHED);
  }

  private double tickAgeSeconds() {
    return node.readMetrics().stream()
        .filter(family -> family.metric() == NodeMetric.TICK_AGE)
        .flatMap(family -> family.samples().stream())
        .mapToDouble(Sample::value)
        .findFirst()
        .orElseThrow();
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Throws any fault where only unchecked exceptions are allowed. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable fault) throws T {
    throw (T) fault;
  }

  private void meminfoUnchecked(long totalMib, long availableMib) {
    try {
      meminfo(totalMib, availableMib);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private boolean isReserveKnown() {
    Double limit = regulator().limit().limit();
    return limit != null && limit > 0;
  }

  private RegulatorDocument regulator() {
    return node.status().mechanisms().regulators().get(0);
  }

  @Test
  void everyEndIsCountedApart() {
    node =
        new CharonNode(
            TestSettings.of("cgroup.enabled", "false"), Surroundings.ofThisMachine(proc), yarn);
    for (ContainerEnd end : ContainerEnd.values()) {
      node.lifecycle().ended("container_1", end);
    }

    assertThat(node.status().launches().counters())
        .containsEntry("rejected", 1L)
        .containsEntry("shed", 1L)
        .containsEntry("handedBack", 1L)
        .containsEntry("killed", 1L)
        .containsEntry("preemptedByYarn", 1L)
        .containsEntry("toleratedFailures", 0L);
  }

  @Test
  void theNextContainerOfAJobIsChargedWithWhatEarlierOnesNeeded() throws IOException {
    meminfo(1000, 900);
    start(NO_KILLS, "cgroup.enabled", "false");
    yarn.rootProcesses(() -> Map.of("container_0", 70L, "container_1", 71L, "container_2", 72L));
    LaunchGate gate = node.gate().orElseThrow();
    for (int i = 0; i < 3; i++) {
      ContainerInfo task = ContainerInfos.bestEffort("container_" + i, 100 * MIB);
      process(70 + i, 5);
      await(() -> gate.request(task.launchRequest()).outcome() == Outcome.LAUNCHED);
      node.lifecycle().starting(task);
      await(() -> node.status().launches().running().get(0).memory().peakBytes() == 5 * MIB);
      node.lifecycle().ended(task.containerId(), ContainerEnd.COMPLETED);
    }

    ContainerInfo next = ContainerInfos.bestEffort("container_3", 100 * MIB);
    await(() -> gate.request(next.launchRequest()).outcome() == Outcome.LAUNCHED);
    node.lifecycle().reacquired(next);
    assertThat(node.status().launches().running().get(0).memory().expectedPeakBytes())
        .isEqualTo(5 * MIB);
  }

  @Test
  void aMachineWithoutCgroupsIsToleratedAndCounted() {
    node =
        new CharonNode(TestSettings.of(), Surroundings.ofThisMachine(proc), yarn); // no mountinfo

    LaunchPrefix prefix =
        node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB)).orElseThrow();

    assertThat(prefix.oomScoreAdj()).isEqualTo(1000);
    assertThat(prefix.cgroupProcs()).isEmpty();
    assertThat(failures()).isEqualTo(1);
    node.lifecycle().stopped("container_1");
    assertThat(failures()).isEqualTo(1);
  }

  private void start(ContainerControl.Killer killer, String... keysAndValues) {
    String[] all = Arrays.copyOf(keysAndValues, keysAndValues.length + 2);
    all[keysAndValues.length] = "node.tick-ms";
    all[keysAndValues.length + 1] = "100";
    node = new CharonNode(TestSettings.of(all), Surroundings.ofThisMachine(proc), yarn);
    yarn.killer(killer);
    node.start();
  }

  private long failures() {
    return node.status().launches().counters().get("toleratedFailures");
  }

  private void meminfo(long totalMib, long availableMib) throws IOException {
    Files.writeString(
        proc.resolve("meminfo"),
        "MemTotal: %d kB%nMemAvailable: %d kB%n".formatted(totalMib * 1024, availableMib * 1024));
  }

  private void process(long id, long mib) throws IOException {
    Path directory = Files.createDirectories(proc.resolve(Long.toString(id)));
    Files.writeString(
        directory.resolve("status"),
        "Name: java%nPPid: 1%nRssAnon: %d kB%nRssFile: 7 kB%nRssShmem: 0 kB%n"
            .formatted(mib * 1024));
  }

  private static String poll(BlockingQueue<String> queue) {
    try {
      return queue.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
