/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.freeze.FreezeSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.sensor.NodeMemorySensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BestEffortFreezeTest {
  private static final long MIB = 1L << 20;
  private static final long SECOND = 1_000_000_000;
  private static final String NOTHING = "nothing";

  @TempDir Path directory;
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final Map<String, Phase> phases = new HashMap<>();
  private final NodeMetrics metrics = new NodeMetrics();
  private final Memory memory = new Memory();
  private volatile String fails = NOTHING; // actions whose text begins so
  private long nanos;
  private BestEffortFreeze freeze;
  private ActionExecutor executor;
  private final LaunchGate gate =
      new LaunchGate(
          new LocalScheduler(
              new LaunchQueue(5),
              new PeakProfile(20, 95),
              new SnapshotLaunchPolicy(Duration.ofSeconds(5), Duration.ZERO)),
          Duration.ofDays(1),
          () -> nanos,
          Clock.systemUTC(),
          nanos -> {},
          "");

  private static final class Memory implements NodeMemorySensor {
    long capacityMib = 1000;
    long leftMib = 1000;
    Runnable meanwhile = () -> {};

    @Override
    public NodeMemory read() {
      meanwhile.run();
      return new NodeMemory(capacityMib * MIB, leftMib * MIB);
    }
  }

  private final class Recorder implements ContainerControl {
    private void act(String what) throws IOException {
      if (what.startsWith(fails)) {
        throw new IOException("it cannot be");
      }
      done.add(what);
    }

    @Override
    public Optional<String> cannotFreeze() {
      return Optional.empty();
    }

    @Override
    public boolean isFrozen(String containerId) {
      throw new AssertionError("its books say so");
    }

    @Override
    public void freeze(String containerId) throws IOException {
      act("freeze " + containerId);
    }

    @Override
    public void thaw(String containerId) throws IOException {
      act("thaw " + containerId);
    }

    @Override
    public long reclaim(String containerId, long bytes, BooleanSupplier goesOn) throws IOException {
      act("reclaim " + containerId);
      return 7 * MIB;
    }

    @Override
    public Killer killer() {
      return containerId -> act("kill " + containerId);
    }
  }

  @AfterEach
  void close() {
    if (freeze != null) {
      freeze.close();
      executor.close(); // before the directory of the audit is removed
    }
  }

  private void open(RegulatorMode mode) {
    FreezeSettings settings = new FreezeSettings(mode, 15, 20, Duration.ofSeconds(10));
    executor =
        new ActionExecutor(
            new DyingContainers(() -> nanos, () -> {}),
            (mechanism, id, reason) -> {},
            new Recorder(),
            Audit.direct(
                Optional.of(new AuditLog(directory, 1 << 20)),
                Clock.systemUTC(),
                metrics.toleratedFailures()),
            metrics.toleratedFailures(),
            () -> nanos);
    freeze =
        new BestEffortFreeze(
            settings,
            memory,
            gate,
            executor,
            id -> phases.getOrDefault(id, Phase.RUNNING),
            metrics,
            () -> nanos);
  }

  private void running(String... ids) {
    for (String id : ids) {
      gate.adopt(ContainerInfos.bestEffort(id, MIB).launchRequest());
    }
  }

  /** Runs a check after enough time for an earlier change to show its effect. */
  private void sampleAt(long leftMib) throws IOException {
    nanos += 2 * SECOND;
    memory.leftMib = leftMib;
    freeze.sample();
  }

  private LaunchDecision launch(String id) {
    gate.observed(new NodeMemory(1000 * MIB, 900 * MIB), Map.of());
    return gate.request(ContainerInfos.bestEffort(id, MIB).launchRequest());
  }

  private List<String> exceptReclaim() {
    return done.stream().filter(action -> !action.startsWith("reclaim")).toList();
  }

  private String audit() {
    try {
      return Files.readString(directory.resolve("audit.jsonl"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** However fast memory is taken, it must be seen to become short. */
  @Test
  void memoryThatCannotBecomeShortIsReadLessOften() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("a");
    memory.capacityMib = 1_000_000;
    long ampleMib =
        150_000
            + BestEffortFreeze.AMPLE_BYTES_PER_PROCESSOR
                / MIB
                * Runtime.getRuntime().availableProcessors();
    sampleAt(ampleMib);
    assertThat(freeze.interval()).isEqualTo(BestEffortFreeze.AMPLE_INTERVAL);
    sampleAt(ampleMib - 1);
    assertThat(freeze.interval()).isEqualTo(BestEffortFreeze.SAMPLE_INTERVAL);
    assertThat(done).isEmpty();

    sampleAt(149_999);
    assertThat(done).containsExactly("freeze a");
    sampleAt(ampleMib);
    assertThat(freeze.interval()).isEqualTo(BestEffortFreeze.SAMPLE_INTERVAL);
  }

  @Test
  void theNewestIsFrozenReclaimedAndThawedAndNoContainerStartsMeanwhile() throws Exception {
    open(RegulatorMode.ENFORCE);
    running("c1", "c2");

    sampleAt(140);
    assertThat(freeze.frozen().get("c2").reason())
        .isEqualTo("140 MiB of 1000 MiB left, frozen below 150 MiB");
    assertThat(launch("c3").verdict().reason()).isEqualTo(LaunchVerdict.Reason.FROZEN);
    sampleAt(140);
    await(() -> freeze.frozen().get("c2").reclaimedBytes() == 7 * MIB);
    // Written after the result is known, on the lane's thread.
    await(() -> audit().lines().count() == 2);
    sampleAt(206);
    assertThat(freeze.frozen()).containsOnlyKeys("c2");
    sampleAt(207);

    assertThat(freeze.frozen()).isEmpty();
    assertThat(done).containsExactly("freeze c2", "reclaim c2", "thaw c2");
    assertThat(launch("c3").outcome()).isEqualTo(LaunchDecision.Outcome.LAUNCHED);
    assertThat(audit().lines()).hasSize(3).allMatch(line -> line.contains("\"result\":\"applied"));
    assertThat(metrics.freezes("freeze").getCount()).isEqualTo(1);
    assertThat(metrics.freezes("thaw").getCount()).isEqualTo(1);
  }

  @Test
  void aContainerFrozenForTooLongIsKilledOnce() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1");
    sampleAt(160);
    sampleAt(140);
    nanos += 10 * SECOND;
    sampleAt(160);
    sampleAt(160);
    sampleAt(140);

    assertThat(done).containsExactly("freeze c1", "kill c1");
    assertThat(freeze.frozen()).isEmpty();
    assertThat(audit()).contains("\"action\":\"kill\",\"target\":\"c1\"");
  }

  @Test
  void aKillThatFailsIsCountedAndTheContainerThawed() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1");
    sampleAt(140);
    nanos += 10 * SECOND;
    fails = "kill";
    sampleAt(160);

    assertThat(metrics.toleratedFailures().getCount()).isEqualTo(1);
    assertThat(done).containsExactly("freeze c1", "thaw c1");
  }

  @Test
  void oneThatCanBeNeitherKilledNorThawedIsKnownToBeFrozenAndKilledLater() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1");
    sampleAt(140);
    nanos += 10 * SECOND;
    fails = "";
    sampleAt(160);
    assertThat(metrics.toleratedFailures().getCount()).as("kill and thaw").isEqualTo(2);
    assertThat(freeze.frozen()).containsOnlyKeys("c1");
    assertThat(launch("c2").verdict().reason()).isEqualTo(LaunchVerdict.Reason.FROZEN);
    fails = NOTHING;
    nanos += SECOND;
    sampleAt(160);

    assertThat(done).containsExactly("freeze c1", "kill c1");
  }

  @Test
  void whileAnotherContainerIsDyingOneStaysFrozenAndIsKilledLater() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1", "c2");
    for (int i = 0; i < 4; i++) {
      sampleAt(140);
    }
    nanos += 10 * SECOND;
    sampleAt(160);
    nanos += SECOND * 3 / 2;
    freeze.sample();
    assertThat(exceptReclaim()).containsExactly("freeze c2", "freeze c1", "kill c2");
    assertThat(freeze.frozen().get("c1").nanos()).isGreaterThan(10 * SECOND);
    assertThat(freeze.frozen().get("c1").reason()).isNotEmpty();
    assertThat(launch("c3").verdict().reason()).isEqualTo(LaunchVerdict.Reason.FROZEN);
    sampleAt(160);

    assertThat(exceptReclaim()).endsWith("kill c2", "kill c1").doesNotContain("thaw c1");
    assertThat(freeze.frozen()).isEmpty();
  }

  @Test
  void observingTellsAndDoesNothing() throws IOException {
    open(RegulatorMode.OBSERVE);
    running("c1");
    sampleAt(140);

    assertThat(freeze.frozen()).containsOnlyKeys("c1");
    assertThat(launch("c2").outcome()).isEqualTo(LaunchDecision.Outcome.LAUNCHED);
    assertThat(audit()).contains("\"result\":\"not applied: observe\"");
    freeze.close();
    assertThat(done).isEmpty();
  }

  @Test
  void pausedStartingAndEndingContainersAreLeftAlone() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1", "c2", "c3");
    phases.putAll(Map.of("c1", Phase.PAUSED, "c2", Phase.STARTING, "c3", Phase.ENDING));
    sampleAt(140);

    assertThat(done).isEmpty();
  }

  @Test
  void aPauseByYarnEndsOurFreeze() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1");
    sampleAt(140);
    phases.put("c1", Phase.PAUSED);
    sampleAt(900);

    assertThat(done).containsExactly("freeze c1");
    assertThat(freeze.frozen()).isEmpty();
  }

  @Test
  void aContainerKilledByAnotherKillerIsThawedSoThatItCanEnd() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1");
    sampleAt(140);
    phases.put("c1", Phase.ENDING);
    sampleAt(140);

    assertThat(done).containsExactly("freeze c1", "thaw c1");
    assertThat(launch("c2").verdict().reason()).isEqualTo(LaunchVerdict.Reason.FITS);
  }

  @Test
  void promotedContainersAndThoseLeftAtTheEndAreThawed() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1", "c2", "c3");
    sampleAt(140);
    nanos += SECOND;
    freeze.sample();
    sampleAt(140);
    assertThat(freeze.frozen()).hasSize(2);

    gate.ended("c3", 0, ContainerEnd.COMPLETED);
    freeze.release("c3");
    assertThat(freeze.frozen()).containsOnlyKeys("c2");
    freeze.close();

    assertThat(done).contains("thaw c3", "thaw c2");
    assertThat(freeze.frozen()).isEmpty();
    assertThat(launch("c4").outcome()).isEqualTo(LaunchDecision.Outcome.LAUNCHED);
  }

  @Test
  @Tag("must-never")
  void oneThatIsPromotedDuringASampleIsNotFrozen() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1");
    memory.meanwhile =
        () -> {
          gate.ended("c1", 0, ContainerEnd.COMPLETED);
          freeze.release("c1");
        };
    sampleAt(140);

    assertThat(done).isEmpty();
    assertThat(freeze.frozen()).isEmpty();
  }

  @Test
  void oneThatCannotBeFrozenIsCountedAndLeftOutForAWhile() throws IOException {
    open(RegulatorMode.ENFORCE);
    running("c1", "c2");
    fails = "freeze c2";
    sampleAt(140);
    assertThat(metrics.toleratedFailures().getCount()).isEqualTo(1);
    assertThat(audit()).contains("\"result\":\"failed: java.io.IOException: it cannot be\"");
    sampleAt(140);
    assertThat(freeze.frozen()).containsOnlyKeys("c1");
    fails = NOTHING;
    for (int i = 0; i < 4; i++) {
      sampleAt(140);
    }

    assertThat(exceptReclaim()).containsExactly("freeze c1", "freeze c2");
  }
}
