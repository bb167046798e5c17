/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.bandwidth.BandwidthLimit;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupThreads;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.ResctrlSettings;
import io.charon.nodemanager.config.WaysAmount;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.TestExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests from counters to lines of schemata, on a tree that refuses the same values as the kernel.
 */
class ResctrlPartsTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final double PEAK = 10e9;

  @TempDir private Path root;
  private final Counter failures = new Counter();
  private FakeMachine machine;
  private FakeResctrl resctrl;
  private ResctrlParts parts;
  private ActionExecutor executor;
  private MechanismRunner runner;
  private long nanos = SECOND;
  private final long[] total = new long[2];
  private final long[] own = new long[2];
  private Set<String> bestEffort = Set.of("c_1");
  private Set<String> production = Set.of();

  @BeforeEach
  void machine() {
    machine = new FakeMachine(root);
    machine
        .file("best-effort/cgroup.threads", "")
        .file("best-effort/c_1/cgroup.threads", "70\n71\n")
        .file("proc/70/stat", "")
        .file("proc/71/stat", "");
    resctrl = new FakeResctrl(machine, 100);
  }

  private static ResctrlSettings settings(
      Path group, RegulatorMode ways, RegulatorMode bandwidth, OptionalInt percent, double peak) {
    return new ResctrlSettings(
        group,
        ways,
        new WaysAmount(2, false),
        bandwidth,
        percent,
        peak > 0 ? OptionalDouble.of(peak) : OptionalDouble.empty());
  }

  private void start(
      RegulatorMode ways, RegulatorMode bandwidth, OptionalInt percent, double peak) {
    ResctrlSettings settings = settings(resctrl.group(), ways, bandwidth, percent, peak);
    parts =
        new ResctrlParts(
            settings,
            new ResctrlGroup(resctrl.group(), resctrl.writer()),
            Optional.of(new CgroupThreads(machine.path("best-effort"), CgroupVersion.V2)),
            machine.path("proc"),
            new RunningIds(() -> bestEffort, () -> production));
    executor = TestExecutor.of(Optional.empty(), failures, parts.actuators());
    runner = new MechanismRunner(parts.entries(), executor);
    runner.start();
  }

  private void byLaw() {
    start(RegulatorMode.OFF, RegulatorMode.ENFORCE, OptionalInt.empty(), PEAK);
  }

  /** Simulates a second with these shares of the peak in total and by best-effort, per socket. */
  private void second(double use0, double own0, double use1, double own1) {
    nanos += SECOND;
    double[] use = {use0, use1};
    double[] mine = {own0, own1};
    for (int socket = 0; socket < 2; socket++) {
      total[socket] += (long) ((use[socket] - mine[socket]) * PEAK);
      own[socket] += (long) (mine[socket] * PEAK);
      resctrl.count("resctrl", socket, Long.toString(total[socket]));
      resctrl.count("resctrl/charon", socket, Long.toString(own[socket]));
    }
    tick();
  }

  private void tick() {
    List<Reading> readings = new ArrayList<>();
    readings.add(node());
    parts.readings(nanos).forEach(readings::add);
    runner.tick(new Snapshot(nanos, readings.toArray(Reading[]::new)));
  }

  private NodeReading node() {
    Measurement none = Measurement.missing("a test");
    ResourceUse nothing = ResourceUse.missing("a test");
    return new NodeReading(
        nanos,
        "production",
        nothing,
        nothing,
        CoreUse.missing("a test"),
        nothing,
        new NodeReading.Health(none, none, none),
        none);
  }

  private String result(String name) {
    return runner.states().stream()
        .filter(state -> state.name().equals(name))
        .findFirst()
        .orElseThrow()
        .result();
  }

  @Test
  void socketsAreLimitedEachByItselfAtOnceAndGetBackATenthASecond() throws IOException {
    byLaw();
    second(0.1, 0.05, 0.1, 0.05);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=100;1=100");
    assertThat(resctrl.tasks("resctrl/charon")).containsExactly("70", "71");
    second(0.7, 0.5, 0.1, 0.05);
    assertThat(resctrl.line("MB")).as("P = 20 of 120, in tenths").isEqualTo("MB:0=20;1=100");
    second(0.1, 0.05, 0.24, 0.2);
    assertThat(resctrl.line("MB"))
        .as("one gives, one takes: the mean alone would not tell")
        .isEqualTo("MB:0=30;1=90");
    second(0.1, 0.05, 0.4, 0.3);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=40;1=60");
    assertThat(resctrl.line("L3")).as("the other line").isEqualTo("L3:0=7ff;1=7ff");
    assertThat(failures.getCount()).isZero();

    executor.use(Map.of());
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=100;1=100");
    assertThat(resctrl.tasks("resctrl")).containsExactly("70", "71");
    assertThat(resctrl.tasks("resctrl/charon")).isEmpty();
  }

  private void fixedWays() {
    start(RegulatorMode.ENFORCE, RegulatorMode.OFF, OptionalInt.empty(), 0);
  }

  /**
   * Otherwise it would keep best-effort's part of the cache, and count as best-effort's traffic.
   */
  @Test
  void aThreadThatIsNoLongerBestEffortsReturnsToTheDefaultGroup() throws IOException {
    fixedWays();
    tick();
    assertThat(resctrl.tasks("resctrl/charon")).containsExactly("70", "71");
    machine.file("best-effort/c_1/cgroup.threads", "71\n");
    nanos += 10 * SECOND;
    tick();
    assertThat(resctrl.tasks("resctrl")).containsExactly("70");
    assertThat(resctrl.tasks("resctrl/charon")).containsExactly("71");
    assertThat(result("cache-ways")).endsWith("0 threads moved, 1 returned");
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void aPromotionIsFollowedAtTheNextTickEvenIfTheCgroupMovesLater() throws IOException {
    start(RegulatorMode.ENFORCE, RegulatorMode.ENFORCE, OptionalInt.of(30), 0);
    tick();
    bestEffort = Set.of();
    production = Set.of("c_1");
    nanos += SECOND;
    tick();
    machine
        .file("best-effort/c_1/cgroup.threads", "")
        .file("resctrl/charon/tasks", "70\n71\n72\n")
        .file("proc/72/stat", "");
    nanos += SECOND;
    tick();
    assertThat(resctrl.tasks("resctrl")).containsExactly("70", "71", "72");
    machine.file("resctrl/charon/tasks", "73\n").file("proc/73/stat", "");
    nanos += SECOND;
    tick();
    assertThat(resctrl.tasks("resctrl"))
        .as("a thread that one of them started before it was moved")
        .containsExactly("70", "71", "72", "73");
  }

  @Test
  void aThreadThatEndsWhileItsGroupIsReadIsNotReturned() throws IOException {
    fixedWays();
    tick();
    machine.file("best-effort/c_1/cgroup.threads", "70\n");
    Files.delete(machine.path("proc/71/stat"));
    Files.delete(machine.path("proc/71"));
    nanos += 10 * SECOND;
    tick();
    assertThat(result("cache-ways")).endsWith("0 threads moved");
    assertThat(failures.getCount()).isZero();
  }

  /** Root may mount resctrl and make the group only after the NodeManager has started. */
  @ParameterizedTest
  @CsvSource({"resctrl/charon, mkdir", "resctrl/info, must be mounted"})
  void whatIsMadeAfterTheStartIsUsed(String missing, String cure) throws IOException {
    resctrl.remove(missing);
    start(RegulatorMode.ENFORCE, RegulatorMode.ENFORCE, OptionalInt.of(30), 0);
    tick();
    assertThat(runner.states())
        .allSatisfy(state -> assertThat(state.unavailable().orElseThrow()).contains(cure));
    resctrl = new FakeResctrl(machine, 100);
    await(
        () -> {
          nanos += 10 * SECOND;
          tick();
          return runner.states().stream().allMatch(state -> state.result().startsWith("applied"));
        });
    assertThat(resctrl.line("L3")).isEqualTo("L3:0=3;1=3");
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=30;1=30");
    assertThat(runner.states()).allSatisfy(state -> assertThat(state.unavailable()).isEmpty());
  }

  @Test
  void aContainerThatIsNotTheCauseIsLeftAlone() throws IOException {
    byLaw();
    second(0.1, 0.05, 0.1, 0.05);
    second(0.9, 0.01, 0.9, 0.5);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=100;1=20");
  }

  @Test
  void whatAnEarlierLifeSetIsTakenAwayAtTheStart() throws IOException {
    start(RegulatorMode.ENFORCE, RegulatorMode.ENFORCE, OptionalInt.of(30), 0);
    second(0.5, 0.4, 0.5, 0.4);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=30;1=30");
    assertThat(resctrl.line("L3")).isEqualTo("L3:0=3;1=3");
    start(RegulatorMode.OFF, RegulatorMode.OFF, OptionalInt.empty(), 0);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=100;1=100");
    assertThat(resctrl.line("L3")).isEqualTo("L3:0=7ff;1=7ff");
    assertThat(resctrl.tasks("resctrl")).containsExactly("70", "71");
  }

  @Test
  void observingChangesNothing() throws IOException {
    start(RegulatorMode.OBSERVE, RegulatorMode.OBSERVE, OptionalInt.empty(), PEAK);
    second(0.1, 0, 0.1, 0);
    second(0.9, 0, 0.9, 0);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=100;1=100");
    assertThat(resctrl.line("L3")).isEqualTo("L3:0=7ff;1=7ff");
    assertThat(resctrl.tasks("resctrl/charon")).isEmpty();
    assertThat(result("memory-bandwidth")).isEqualTo("not applied: observe");
    assertThat(runner.states().get(1).report().cause().orElseThrow())
        .as("what would hold")
        .contains("cache 0: much memory bandwidth is in use, 20 %");
  }

  @Test
  void withoutAPeakNothingIsLimitedForADay() throws IOException {
    start(RegulatorMode.OFF, RegulatorMode.ENFORCE, OptionalInt.empty(), 0);
    second(0.1, 0.05, 0.1, 0.05);
    second(0.9, 0.8, 0.9, 0.8);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=100;1=100");
    assertThat(runner.states().get(1).report().cause().orElseThrow())
        .contains("the highest bandwidth is not known yet");
  }

  @Test
  void unitsOfOtherMachinesAreTold() throws IOException {
    resctrl = new FakeResctrl(machine, 4_294_967_295L);
    byLaw();
    second(0.1, 0.05, 0.1, 0.05);
    second(0.7, 0.5, 0.1, 0.05);
    assertThat(resctrl.line("MB"))
        .as("MiB per second: a fifth of 10 GB/s")
        .isEqualTo("MB:0=1907;1=4294967295");
    resctrl = new FakeResctrl(machine, 2048);
    byLaw();
    second(0.1, 0.05, 0.1, 0.05);
    second(0.7, 0.5, 0.1, 0.05);
    assertThat(resctrl.line("MB")).as("eighths of a GB/s").isEqualTo("MB:0=16;1=2048");
    start(RegulatorMode.OFF, RegulatorMode.ENFORCE, OptionalInt.of(30), 0);
    second(0.7, 0.5, 0.1, 0.05);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=2048;1=2048");
    assertThat(result("memory-bandwidth")).contains("set yarn.nodemanager.charon.memory-bandwidth");
  }

  @Test
  void countersThatTheKernelHasNotJustNowChangeNothing() throws IOException {
    byLaw();
    second(0.1, 0.05, 0.1, 0.05);
    second(0.7, 0.5, 0.7, 0.5);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=20;1=20");
    nanos += SECOND;
    resctrl.count("resctrl", 0, "Unavailable");
    resctrl.count("resctrl/charon", 1, "Error");
    tick();
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=20;1=20");
    assertThat(runner.states().get(1).report().cause().orElseThrow())
        .contains("the bandwidth cannot be read");
    nanos += SECOND;
    resctrl.count("resctrl", 0, "5");
    resctrl.count("resctrl/charon", 1, "5");
    tick();
    assertThat(resctrl.line("MB")).as("counters that fell").isEqualTo("MB:0=20;1=20");
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void aGroupThatVanishesIsNamedAndUsedAgainWhenItIsBack() throws IOException {
    byLaw();
    second(0.1, 0.05, 0.1, 0.05);
    resctrl.remove("resctrl/charon");
    nanos += 11 * SECOND;
    tick();
    assertThat(result("memory-bandwidth")).startsWith("failed: ").contains("charon/schemata");
    assertThat(failures.getCount()).isPositive();
    resctrl = new FakeResctrl(machine, 100);
    second(0.1, 0.05, 0.1, 0.05);
    second(0.7, 0.5, 0.1, 0.05);
    assertThat(resctrl.line("MB")).isEqualTo("MB:0=20;1=100");
  }

  @Test
  void machinesThatLackItSayWhat() {
    resctrl.remove("resctrl/info/MB");
    resctrl.remove("resctrl/info/L3_MON");
    byLaw();
    assertThat(runner.states().get(1).unavailable().orElseThrow()).contains("cqm_mbm_total");
    start(RegulatorMode.OFF, RegulatorMode.ENFORCE, OptionalInt.of(30), 0);
    assertThat(runner.states().get(1).unavailable().orElseThrow()).contains("flag mba");
    resctrl.remove("resctrl/info/L3");
    start(RegulatorMode.ENFORCE, RegulatorMode.OFF, OptionalInt.empty(), 0);
    assertThat(runner.states().get(0).unavailable().orElseThrow()).contains("cat_l3");
    assertThat(failures.getCount()).as("nothing was to be undone").isZero();
    assertThat(parts.readings(nanos)).isEmpty();
    for (Actuator actuator :
        ResctrlParts.of(
                settings(
                    resctrl.group(),
                    RegulatorMode.ENFORCE,
                    RegulatorMode.ENFORCE,
                    OptionalInt.empty(),
                    0),
                Optional.empty(),
                root,
                new RunningIds(Set::of, Set::of))
            .actuators()
            .values()) {
      assertThat(actuator.unavailable()).isPresent();
    }
    assertThat(parts.actuators()).containsOnlyKeys(Limit.CACHE_WAYS, BandwidthLimit.LIMIT);
  }

  @Test
  void whatTheKernelRefusesIsPassedOnWithItsWords() {
    ResctrlGroup group = new ResctrlGroup(resctrl.group(), resctrl.writer());
    assertThatThrownBy(() -> group.limit(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("resctrl says: Need at least 2 bits in the mask");
  }
}
