/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.memorylimit.LimitDecision.Move;
import io.charon.core.law.memorylimit.MemoryLimitLaw.FastSample;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;

/** Properties for every course of memory use, wherever the clock starts and however it jumps. */
class MemoryLimitLawPropertyTest {
  private static final long MB = 1 << 20;
  private static final long BOUNDARY = 400 * MB;
  private static final long RESERVE = 16 * MB;
  private static final long HOLD = 10_000_000_000L;
  private static final long SAMPLE = 20_000_000L;

  /** One sample with the basis at its time. */
  record Step(FastSample sample, LimitBasis basis, boolean mayRaise) {}

  @Provide
  Arbitrary<List<Step>> course() {
    Arbitrary<Long> megabytes = Arbitraries.longs().between(0, 260).map(mb -> mb * MB);
    Arbitrary<Long> elapsed =
        Arbitraries.frequency(
            Tuple.of(30, SAMPLE),
            Tuple.of(10, 1_000_000_000L),
            Tuple.of(4, 6_000_000_000L),
            Tuple.of(1, 0L),
            Tuple.of(1, -50_000_000_000L));
    Arbitrary<LimitBasis> basis =
        Combinators.combine(megabytes, megabytes, megabytes, megabytes, megabytes)
            .as(
                (others, swap, excess, owed, claim) ->
                    new LimitBasis(
                        BOUNDARY,
                        RESERVE,
                        others,
                        swap / 8,
                        Math.min(excess, others),
                        owed,
                        claim / 4,
                        false));
    Arbitrary<Step> step =
        Combinators.combine(
                elapsed, megabytes, megabytes, megabytes, basis, Arbitraries.of(true, true, false))
            .as(
                (nanos, others, best, clean, known, raise) ->
                    new Step(
                        new FastSample(nanos, Math.min(BOUNDARY, others + best), best, clean / 4),
                        known,
                        raise));
    return Combinators.combine(step.list().ofMaxSize(60), Arbitraries.longs())
        .as(MemoryLimitLawPropertyTest::inTime);
  }

  /** Turns elapsed times into times. */
  private static List<Step> inTime(List<Step> steps, long startNanos) {
    List<Step> course = new ArrayList<>();
    long nanos = startNanos;
    for (Step step : steps) {
      FastSample sample = step.sample();
      nanos += sample.nanos();
      course.add(
          new Step(
              new FastSample(
                  nanos, sample.nodeBytes(), sample.bestEffortBytes(), sample.cleanGrownBytes()),
              step.basis(),
              step.mayRaise()));
    }
    return course;
  }

  private static List<LimitDecision> decide(boolean growsIntoExcess, List<Step> course) {
    MemoryLimitLaw law = new MemoryLimitLaw(OptionalLong.empty());
    return course.stream()
        .map(
            step ->
                law.decide(
                    step.sample(),
                    step.basis().growingIntoExcess(growsIntoExcess),
                    step.mayRaise()))
        .toList();
  }

  private static long others(Step step) {
    return Math.max(0, step.sample().nodeBytes() - step.sample().bestEffortBytes())
        + step.basis().swapBytes();
  }

  @Property
  void bestEffortNeverGetsWhatOthersKeepOrTheReserve(
      @ForAll("course") List<Step> course, @ForAll boolean growsIntoExcess) {
    List<LimitDecision> decisions = decide(growsIntoExcess, course);
    for (int i = 0; i < course.size(); i++) {
      long kept = others(course.get(i)) - decisions.get(i).excessBytes();
      assertThat(decisions.get(i).limitBytes())
          .isBetween(0L, Math.max(0, BOUNDARY - kept - RESERVE));
    }
  }

  @Property
  void whereTheKernelTakesAnyPageNothingGrowsIntoOthersExcess(@ForAll("course") List<Step> course) {
    List<LimitDecision> decisions = decide(false, course);
    for (int i = 0; i < course.size(); i++) {
      long free = Math.max(0, BOUNDARY - others(course.get(i)) - RESERVE);
      assertThat(decisions.get(i).limitBytes())
          .isLessThanOrEqualTo(
              Math.max(free, course.get(i).sample().bestEffortBytes() + RESERVE / 4));
    }
  }

  @Property
  void theMoreOthersHoldTheLowerIsTheLimit(
      @ForAll("course") List<Step> course,
      @ForAll @LongRange(max = 100) long more,
      @ForAll boolean growsIntoExcess) {
    List<Step> fuller =
        course.stream()
            .map(
                step ->
                    new Step(
                        new FastSample(
                            step.sample().nanos(),
                            step.sample().nodeBytes() + more * MB,
                            step.sample().bestEffortBytes(),
                            0),
                        step.basis(),
                        false))
            .toList();
    List<Step> emptier =
        course.stream()
            .map(
                step ->
                    new Step(
                        new FastSample(
                            step.sample().nanos(),
                            step.sample().nodeBytes(),
                            step.sample().bestEffortBytes(),
                            0),
                        step.basis(),
                        false))
            .toList();
    List<LimitDecision> low = decide(growsIntoExcess, fuller);
    List<LimitDecision> high = decide(growsIntoExcess, emptier);
    for (int i = 0; i < course.size(); i++) {
      assertThat(low.get(i).limitBytes()).isLessThanOrEqualTo(high.get(i).limitBytes());
    }
  }

  @Property
  void itIsNeverRaisedWithinTenSecondsOfALowering(
      @ForAll("course") List<Step> course, @ForAll boolean growsIntoExcess) {
    List<LimitDecision> decisions = decide(growsIntoExcess, course);
    long lowered = course.isEmpty() ? 0 : course.get(0).sample().nanos();
    for (int i = 1; i < course.size(); i++) {
      long now = course.get(i).sample().nanos();
      long before = decisions.get(i - 1).limitBytes();
      LimitDecision decision = decisions.get(i);
      if (decision.limitBytes() > before) {
        assertThat(decision.move()).isEqualTo(Move.GIVE);
        assertThat(now - lowered).isGreaterThanOrEqualTo(HOLD);
        assertThat(course.get(i).mayRaise()).isTrue();
        assertThat(decision.limitBytes() - before).isLessThanOrEqualTo(BOUNDARY / 50);
      }
      if (decision.limitBytes() < before || now < lowered) {
        lowered = now;
      }
      Statistics.collect(decision.move());
    }
  }

  @Property
  void theClockMayStartAnywhere(@ForAll("course") List<Step> course, @ForAll long shift) {
    List<Step> later =
        course.stream()
            .map(
                step ->
                    new Step(
                        new FastSample(
                            step.sample().nanos() + shift,
                            step.sample().nodeBytes(),
                            step.sample().bestEffortBytes(),
                            step.sample().cleanGrownBytes()),
                        step.basis(),
                        step.mayRaise()))
            .toList();
    assertThat(decide(false, later)).isEqualTo(decide(false, course));
  }

  /** Production holds its entitlement and streams a file: its excess cache fills free memory. */
  @Property
  void aStreamThatFillsTheNodeLeavesTheLimitToBestEffort(
      @ForAll @IntRange(min = 20, max = 200) int rightMegabytes,
      @ForAll @LongRange(min = 1, max = 40) long perLookMegabytes) {
    long right = rightMegabytes * MB;
    MemoryLimitLaw law = new MemoryLimitLaw(OptionalLong.empty());
    long held = BOUNDARY - RESERVE - right;
    Node node = new Node(right, held);
    for (int i = 0; i < 500; i++) {
      if (i % 50 == 0) {
        node.slowLook(right);
      }
      node.stream(perLookMegabytes * MB);
      LimitDecision decision = law.decide(node.sample(i * SAMPLE), node.basis, true);
      assertThat(decision.dueBytes()).isZero();
      assertThat(decision.limitBytes()).isGreaterThanOrEqualTo(held);
    }
    assertThat(node.free()).isZero();
  }

  /** Best-effort filled the node while production was idle: each sample gives production R back. */
  @Property
  void aSqueezedContainerRegainsItsEntitlementReserveByReserve(
      @ForAll @IntRange(min = 40, max = 300) int rightMegabytes) {
    long right = rightMegabytes * MB;
    MemoryLimitLaw law = new MemoryLimitLaw(OptionalLong.empty());
    Node node = new Node(4 * MB, BOUNDARY - 4 * MB);
    long needed = (right + RESERVE - 1) / RESERVE + 1;
    for (int i = 0; i < needed; i++) {
      node.slowLook(right);
      LimitDecision decision = law.decide(node.sample(i * SAMPLE), node.basis, true);
      node.shrinkBestEffort(decision.dueBytes());
      node.grow(Math.min(node.free(), right - node.production));
    }
    assertThat(node.production).isEqualTo(right);
  }

  @Property
  void aMachineAndACgroupOfItsSizeAgree(
      @ForAll @LongRange(min = 64, max = 400) long total,
      @ForAll @LongRange(max = 64) long free,
      @ForAll @LongRange(max = 32) long huge,
      @ForAll @LongRange(max = 64) long best) {
    long freeBytes = Math.min(free, total - huge) * MB;
    NodeUse machine = NodeUse.ofMachine(total * MB, freeBytes, huge * MB);
    NodeUse cgroup = NodeUse.ofCgroup((total - huge) * MB, (total - huge) * MB - freeBytes);
    assertThat(first(machine, best * MB)).isEqualTo(first(cgroup, best * MB));
  }

  private static LimitDecision first(NodeUse node, long best) {
    long used = Math.min(best, node.usedBytes());
    long others = node.usedBytes() - used;
    return new MemoryLimitLaw(OptionalLong.empty())
        .decide(
            new FastSample(0, node.usedBytes(), used, 0),
            new LimitBasis(node.boundaryBytes(), RESERVE, others, 0, 0, 0, 0, false),
            true);
  }

  /** Both sides of a node that is as full as its boundary allows. */
  private static final class Node {
    private long production;
    private long streamed;
    private long bestEffort;
    private long streamedAtSlowLook;
    private LimitBasis basis;

    Node(long production, long bestEffort) {
      this.production = production;
      this.bestEffort = bestEffort;
    }

    long free() {
      return BOUNDARY - production - streamed - bestEffort;
    }

    void grow(long bytes) {
      production += bytes;
    }

    void shrinkBestEffort(long bytes) {
      bestEffort -= bytes;
    }

    /** Streams a file: pages that do not fit replace others of the same file. */
    void stream(long bytes) {
      streamed += Math.min(bytes, free());
    }

    void slowLook(long right) {
      SlowSample sample =
          new SlowSample(
              BOUNDARY,
              production + streamed,
              production + streamed,
              List.of(new Holder("production", production + streamed, streamed, right)),
              0,
              0);
      basis = LimitBasis.of(sample, new Reserve(RESERVE, Reserve.Bound.MIN), 0, 0, false);
      streamedAtSlowLook = streamed;
    }

    FastSample sample(long nanos) {
      return new FastSample(
          nanos, production + streamed + bestEffort, bestEffort, streamed - streamedAtSlowLook);
    }
  }
}
