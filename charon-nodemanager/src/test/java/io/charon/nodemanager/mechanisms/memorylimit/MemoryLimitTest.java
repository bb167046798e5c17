/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.memorylimit.Holder;
import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.law.memorylimit.KillCandidates.KillCandidate;
import io.charon.core.law.memorylimit.SlowSample;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.mechanism.WorkingSet;
import io.charon.killer.client.MemoryLimitBasis;
import io.charon.killer.client.MemoryLimitReport;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.sensor.CgroupUse;
import io.charon.nodemanager.sensor.MemoryHolding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the mechanism's actions in virtual time, with a simulated mover of the limit. */
class MemoryLimitTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path root;
  private final FakeMover mover = new FakeMover();
  private MemoryLimit mechanism;
  private long nanos;

  private void open() {
    open(true);
  }

  private void open(boolean limitsSwap) {
    mechanism =
        new MemoryLimit(
            Availability.available(),
            new LimitTraits(OptionalInt.empty(), limitsSwap, OptionalInt.of(7)),
            Optional.of(
                new MovingLimit(
                    root,
                    CgroupVersion.V1,
                    Optional.empty(),
                    Optional.empty(),
                    new Helper(List.of("/none"), Duration.ofSeconds(1)),
                    mover)));
  }

  /** Returns the holding of a node of 400 MB whose production is entitled to 200 MB. */
  private static MemoryHolding holding(long production, long clean, long best, boolean runs) {
    return holding(production, clean, best, 0, runs);
  }

  private static MemoryHolding holding(
      long production, long clean, long best, long files, boolean runs) {
    return new MemoryHolding(
        new SlowSample(
            400 * MB,
            production * MB,
            clean * MB,
            List.of(new Holder("p", production * MB, clean * MB, 200 * MB)),
            20 * MB,
            0),
        (production + best) * MB,
        0,
        0,
        new CgroupUse(best * MB, 0, 0, 0, files * MB),
        runs);
  }

  private static KillCandidate container(String id, long megabytes, boolean mortal, boolean dying) {
    return new KillCandidate(id, WorkingSet.of(megabytes * MB), 10_000, mortal, dying);
  }

  private List<Action> decide(MemoryHolding seen, KillCandidate... candidates) {
    nanos += SECOND;
    return mechanism.decide(new Snapshot(nanos, seen, new KillCandidates(List.of(candidates))));
  }

  private static Action.SetLimit limit(List<Action> actions, Limit limit) {
    return actions.stream()
        .filter(Action.SetLimit.class::isInstance)
        .map(Action.SetLimit.class::cast)
        .filter(wanted -> wanted.limit().equals(limit))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> killed(List<Action> actions) {
    return actions.stream().filter(Action.Kill.class::isInstance).map(Action::target).toList();
  }

  /** Decides until somebody is killed, at most five times. */
  private List<String> killedSoon(MemoryHolding seen, KillCandidate... candidates) {
    List<String> killed = List.of();
    for (int look = 0; look < 5 && killed.isEmpty(); look++) {
      killed = killed(decide(seen, candidates));
    }
    return killed;
  }

  private static MemoryLimitReport report(long limitBytes, long uncoveredMillis) {
    return report(limitBytes, uncoveredMillis, new MemoryLimitReport.Moves(1, 0, 0));
  }

  private static MemoryLimitReport report(
      long limitBytes, long uncoveredMillis, MemoryLimitReport.Moves moves) {
    return new MemoryLimitReport(
        1,
        limitBytes * MB,
        OptionalLong.of(limitBytes * MB),
        moves,
        0,
        uncoveredMillis,
        new MemoryLimitReport.Refusals(0, ""),
        new MemoryLimitReport.Dirty(0, ""));
  }

  @Test
  void withoutBestEffortNothingIsLimitedAndLaunchesMayUseTheRest() {
    open();
    List<Action> wanted = decide(holding(150, 50, 0, false));
    Action.SetLimit use = limit(wanted, Limit.MEMORY_USE);
    assertThat(use.amount()).isEqualTo(use.capacity());
    // 40 MB stay free: for ten minutes production is assumed to grow by 1 GB/s, at most 10 %.
    assertThat(limit(wanted, Limit.MEMORY).amount()).isBetween(209.0 * MB, 212.0 * MB);
    assertThat(mover.told).isEmpty();
    assertThat(mover.stops).isPositive();
  }

  @Test
  void filesThatOutliveTheirContainerDoNotMakeItAVictim() {
    open();
    KillCandidate holder =
        new KillCandidate("a", new WorkingSet(60 * MB, 59 * MB, 59 * MB), 10_000, true, false);
    KillCandidate other = container("b", 120, true, false);
    assertThat(killedSoon(holding(240, 0, 180, true), holder, other)).containsExactly("b");
    // If nothing else is left, it dies as well: production comes first.
    assertThat(killedSoon(holding(340, 0, 60, true), holder)).containsExactly("a");
  }

  @Test
  void filesThatEndedContainersLeftAreReportedAndNotOfferedToLaunches() {
    open();
    KillCandidate running =
        new KillCandidate("a", new WorkingSet(20 * MB, 10 * MB, 0), 10_000, true, false);
    for (int second = 0; second < 10; second++) {
      List<Action> wanted = decide(holding(150, 0, 100, 90, true), running);
      assertThat(mechanism.report().note()).isEmpty();
      assertThat(limit(wanted, Limit.MEMORY).amount()).isLessThan(135.0 * MB);
    }
    List<Action> unused = decide(holding(150, 0, 100, 90, true), running);
    assertThat(mechanism.report().value("leftover").orElseThrow()).isEqualTo(80.0 * MB);
    assertThat(mechanism.report().note().orElseThrow()).startsWith("80 MiB").contains("/dev/shm");
    unused = decide(holding(150, 0, 20, 10, true), running);
    assertThat(mechanism.report().note()).isEmpty();
  }

  @Test
  void otherMemoryThatNoContainerAccountsForIsNotTakenForFiles() {
    open();
    for (int second = 0; second < 20; second++) {
      List<Action> wanted = decide(holding(150, 0, 100, true), container("a", 20, true, false));
      assertThat(limit(wanted, Limit.MEMORY).amount()).isLessThan(135.0 * MB);
    }
    assertThat(mechanism.report().value("leftover").orElseThrow()).isZero();
    assertThat(mechanism.report().note()).isEmpty();
  }

  @Test
  void whereNothingIsAroundBestEffortLaunchesAndKillsAloneGoByTheLimit() {
    mechanism =
        new MemoryLimit(Availability.available(), LimitTraits.notEnforced(), Optional.empty());
    assertThat(mechanism.limits()).containsExactly(Limit.MEMORY);

    List<Action> wanted = decide(holding(150, 50, 100, true), container("a", 100, true, false));

    // With one sample per second, 10 % stay free.
    assertThat(limit(wanted, Limit.MEMORY).amount()).isBetween(209.0 * MB, 212.0 * MB);
    assertThat(wanted).hasSize(1);
    assertThat(mechanism.report().value(MechanismReport.LIMIT).orElseThrow()).isPositive();
    assertThat(mechanism.report().note().orElseThrow()).contains("not enforced");

    assertThat(killedSoon(holding(250, 0, 140, true), container("a", 140, true, false)))
        .containsExactly("a");
  }

  @Test
  void theProcessThatMovesTheLimitGetsInputEachSecondAndItsReportCounts() {
    open();
    decide(holding(150, 50, 100, true), container("a", 100, true, false));
    mover.moved = Optional.of(new LimitMover.Moved(report(123, 0), 30 * MB));
    List<Action> wanted = decide(holding(150, 50, 100, true), container("a", 100, true, false));
    assertThat(limit(wanted, Limit.MEMORY_USE).amount()).isEqualTo(123.0 * MB);
    assertThat(limit(wanted, Limit.MEMORY).amount()).isEqualTo(123.0 * MB);
    assertThat(mechanism.report().value(MechanismReport.LIMIT)).hasValue(123.0 * MB);
    assertThat(mover.told).hasSize(2);
    MemoryLimitBasis told = mover.told.get(1);
    assertThat(told.number()).isEqualTo(2);
    assertThat(told.basis().othersBytes()).isEqualTo(150 * MB);
    assertThat(told.basis().owedBytes()).isEqualTo(50 * MB);
    assertThat(told.dirtyPercent()).hasValue(7);
    assertThat(told.enforce()).as("before the executor asked for it").isFalse();
  }

  /** Further moves within a second of a line are one line, however often the limit is decided. */
  @Test
  void theAuditHasEachMoveOfTheLimitWithItsRangeAndItsBasis() throws IOException {
    open();
    ActionExecutor executor =
        TestExecutor.of(
            Optional.of(new AuditLog(root.resolve("audit"), 1 << 20)),
            new Counter(),
            Map.of(Limit.MEMORY_USE, Actuator.of(Optional::empty, wanted -> "set", () -> {})));
    MemoryLimitReport.Moves lowered = new MemoryLimitReport.Moves(1, 0, 0);
    MemoryLimitReport.Moves raised = new MemoryLimitReport.Moves(0, 0, 1);
    move(executor, 1000, 150, lowered);
    move(executor, 1000, 140, lowered);
    move(executor, 100, 135, lowered);
    move(executor, 100, 120, lowered);
    move(executor, 100, 130, lowered);
    move(executor, 1000, 110, lowered);
    move(executor, 1000, 110, new MemoryLimitReport.Moves(0, 0, 0));
    move(executor, 1000, 118, raised);
    executor.close();

    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve("audit").resolve("audit.jsonl"))) {
      JsonNode read = new ObjectMapper().readTree(line);
      if (read.path("result").asText().equals("applied: set")) { // not launches
        lines.add(read);
      }
    }
    String down = "lowered: others need memory that they are entitled to";
    assertThat(lines)
        .extracting(
            line ->
                "%s %s %d: %s"
                    .formatted(
                        line.path("regulator").asText(),
                        line.path("action").asText(),
                        line.path("limit").asLong() / MB,
                        line.path("reason").asText()))
        .containsExactly(
            "memory-limit widen 150: " + down,
            "memory-limit tighten 140: " + down,
            "memory-limit widen 130: " + down,
            "memory-limit tighten 110: " + down,
            "memory-limit widen 118: raised: others did not need the memory for ten seconds");
    JsonNode inputs = lines.get(2).path("inputs");
    assertThat(inputs.path("moves").asInt()).isEqualTo(3);
    assertThat(inputs.path("lowest").asLong()).isEqualTo(120 * MB);
    assertThat(inputs.path("highest").asLong()).isEqualTo(135 * MB);
    assertThat(lines.get(3).path("inputs").fieldNames())
        .toIterable()
        .containsExactly("capacity", "bestEffort", "others", "excess", "reserve", "claim", "due");
  }

  /** Decides with a limit that the program reports, and carries that out. */
  private void move(
      ActionExecutor executor, long millisLater, long limit, MemoryLimitReport.Moves moves) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millisLater) - SECOND;
    mover.moved = Optional.of(new LimitMover.Moved(report(limit, 0, moves), 0));
    List<Action> wanted = decide(holding(150, 50, 100, true), container("a", 100, true, false));
    var unused =
        executor.execute(
            nanos,
            List.of(
                new ActionExecutor.WantedActions(
                    MemoryLimit.NAME, RegulatorMode.ENFORCE, Optional.empty(), wanted)));
  }

  @Test
  void whatProductionTookSinceItsLastReportIsNotForLaunches() {
    open();
    mover.moved = Optional.of(new LimitMover.Moved(report(300, 0), 0));
    List<Action> wanted = decide(holding(250, 50, 50, true), container("a", 50, true, false));
    assertThat(limit(wanted, Limit.MEMORY).amount()).isBetween(109.0 * MB, 112.0 * MB);
  }

  @Test
  void theLimitDoesNotJumpWhenItsProcessEnds() {
    open();
    mover.moved = Optional.of(new LimitMover.Moved(report(123, 0), 0));
    decide(holding(50, 0, 50, true), container("a", 50, true, false));
    mover.moved = Optional.empty();
    mover.missing = Optional.of("it was killed");
    List<Action> wanted = decide(holding(50, 0, 50, true), container("a", 50, true, false));
    assertThat(limit(wanted, Limit.MEMORY_USE).amount()).isEqualTo(123.0 * MB);
  }

  @Test
  void noKillerActsOnAShortageThatTheReserveCovers() {
    open();
    mover.moved = Optional.of(new LimitMover.Moved(report(101, 500), 0));
    assertThat(killed(decide(holding(260, 0, 110, true), container("a", 100, true, false))))
        .as("9 of 40 MB")
        .isEmpty();
  }

  @Test
  void unaccountedMemoryIsNotForLaunches() {
    open();
    mover.moved = Optional.of(new LimitMover.Moved(report(200, 0), 0));
    List<Action> wanted = decide(holding(150, 50, 80, true), container("a", 50, true, false));
    assertThat(limit(wanted, Limit.MEMORY).amount()).isEqualTo(170.0 * MB);
  }

  /** Otherwise a new container would be killed by Linux below the limit. */
  @ParameterizedTest
  @CsvSource({"true, 150", "false, 180"})
  void memoryInSwapIsRoomForLaunchesOnlyWhereTheKernelDoesNotCountIt(boolean limits, int room) {
    open(limits);
    mover.moved = Optional.of(new LimitMover.Moved(report(200, 0), 0));
    MemoryHolding without = holding(150, 50, 70, true);
    MemoryHolding seen =
        new MemoryHolding(
            without.sample(),
            without.nodeBytes(),
            0,
            0,
            new CgroupUse(70 * MB, 30 * MB, 0, 0, 0),
            true);
    List<Action> wanted = decide(seen, container("a", 50, true, false));
    assertThat(limit(wanted, Limit.MEMORY).amount()).isEqualTo((double) room * MB);
  }

  @Test
  void withoutSamplesTenPercentStayFreeAndTheReportSaysSo() {
    open();
    mover.missing = Optional.of("no program");
    List<Action> wanted = decide(holding(150, 50, 100, true), container("a", 100, true, false));
    assertThat(limit(wanted, Limit.MEMORY_USE).amount()).isBetween(209.0 * MB, 210.0 * MB);
    assertThat(mechanism.report().note().orElseThrow())
        .contains("one sample per second", "no program");
  }

  @Test
  void whereNothingIsFreeWhosePageCacheHasNoRightIsSaid() {
    open();
    decide(holding(250, 150, 100, true), container("a", 100, true, false));
    assertThat(mechanism.report().note()).as("50 MB are free").isEmpty();
    decide(holding(300, 200, 95, true), container("a", 95, true, false));
    assertThat(mechanism.report().note().orElseThrow())
        .contains(
            "others hold 100 MiB of page cache beyond their entitlement, and only 5 MiB are free")
        .contains("memory-limit.services");
  }

  @Test
  void aShortageThatNothingCoversIsKilledForOnceItLasted() {
    open();
    mover.moved = Optional.of(new LimitMover.Moved(report(100, 0), 0));
    MemoryHolding seen = holding(261, 0, 110, true);
    KillCandidate[] all = {
      container("master", 50, false, false),
      container("large", 40, true, false),
      container("small", 12, true, false)
    };
    assertThat(killed(decide(seen, all))).as("it began just now").isEmpty();
    mover.moved = Optional.of(new LimitMover.Moved(report(100, 100), 0));
    List<Action> wanted = decide(seen, all);
    assertThat(killed(wanted)).containsExactly("small");
    assertThat(limit(wanted, Limit.MEMORY).amount()).as("launches wait").isZero();
    Action kill = wanted.get(wanted.size() - 1);
    assertThat(kill.basis().reason()).contains("10 MiB above its limit of 100 MiB", "12 MiB");
    all[2] = container("small", 12, true, true);
    assertThat(killed(decide(seen, all))).as("who is dying covers it").isEmpty();
  }

  /**
   * Kills the small container for 50 MiB that best-effort holds too much, and returns the same
   * holding, as it is still seen a tick later.
   */
  private MemoryHolding smallDies(KillCandidate large, KillCandidate small) {
    open();
    mover.moved = Optional.of(new LimitMover.Moved(report(100, 200), 0));
    MemoryHolding seen = holding(270, 0, 150, true);
    assertThat(killed(decide(seen, large, small))).containsExactly("small");
    nanos -= 9 * SECOND / 10;
    return seen;
  }

  /**
   * YARN forgets a container when its shell has exited, while its other processes may still run.
   */
  @Test
  void anUnlistedVictimIsEnoughUntilItsMemoryIsBack() {
    KillCandidate large = container("large", 90, true, false);
    KillCandidate small = container("small", 60, true, false);
    MemoryHolding seen = smallDies(large, small);
    assertThat(killed(decide(seen, large))).as("it is not listed").isEmpty();
    nanos -= 9 * SECOND / 10;
    assertThat(killed(decide(holding(270, 0, 92, true), large))).as("it is gone").isEmpty();
  }

  /** It may also stay listed briefly when it no longer counts as dying. */
  @Test
  void aListedVictimIsEnoughToo() {
    KillCandidate large = container("large", 90, true, false);
    KillCandidate small = container("small", 60, true, false);
    MemoryHolding seen = smallDies(large, small);
    assertThat(killed(decide(seen, large, small))).isEmpty();
  }

  @Test
  void belowTheMinimumLimitTheRemainingContainersAreKilled() {
    open();
    mover.moved = Optional.of(new LimitMover.Moved(report(0, 200), 0));
    KillCandidate last = container("last", 25, true, false);
    assertThat(killed(decide(holding(370, 0, 28, true), last))).containsExactly("last");
  }

  @Test
  void launchesGoOnAfterTheWait() {
    open();
    mover.moved = Optional.of(new LimitMover.Moved(report(100, 200), 0));
    KillCandidate only = container("only", 60, true, false);
    assertThat(killed(decide(holding(290, 0, 110, true), only))).containsExactly("only");
    MemoryHolding after = holding(250, 0, 0, false);
    mover.moved = Optional.empty();
    for (int i = 0; i < 4; i++) {
      assertThat(limit(decide(after), Limit.MEMORY).amount()).isZero();
    }
    decide(after);
    assertThat(limit(decide(after), Limit.MEMORY).amount()).isPositive();
  }

  /** For example after a suspended virtual machine, or with a clock that is not monotonic. */
  @Test
  void aJumpOfTheClockCausesNoKillAndNoRoom() {
    open();
    for (long jump : new long[] {0, 3_600 * SECOND, -7_200 * SECOND, Long.MAX_VALUE / 2, 0}) {
      nanos += jump;
      for (int look = 0; look < 3; look++) {
        List<Action> wanted = decide(holding(250, 50, 100, true), container("a", 100, true, false));
        assertThat(limit(wanted, Limit.MEMORY_USE).amount()).isLessThanOrEqualTo(150.0 * MB);
        assertThat(limit(wanted, Limit.MEMORY).amount()).isLessThanOrEqualTo(150.0 * MB);
        assertThat(killed(wanted)).isEmpty();
      }
    }
  }
}
