/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.kill.VictimChoice.Candidate;
import io.charon.core.law.memorylimit.ColdStart;
import io.charon.core.law.memorylimit.Holder;
import io.charon.core.law.memorylimit.LaunchRoom;
import io.charon.core.law.memorylimit.LaunchWait;
import io.charon.core.law.memorylimit.LimitBasis;
import io.charon.core.law.memorylimit.LimitDecision;
import io.charon.core.law.memorylimit.MemoryLimitLaw;
import io.charon.core.law.memorylimit.MemoryLimitLaw.FastSample;
import io.charon.core.law.memorylimit.Reserve;
import io.charon.core.law.memorylimit.Shortage;
import io.charon.core.law.memorylimit.SlowSample;
import io.charon.core.law.memorylimit.TakeBack;
import io.charon.core.law.memorylimit.VictimSelection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The moving memory limit around the best-effort containers of a node (docs/memory-limit.md): the
 * law, the room for launches and the rule of kills of a NodeManager. Best-effort has no swap within
 * its limit, as in a NodeManager, and is not given production's excess page cache, as with cgroup
 * v1.
 *
 * <p>A NodeManager samples every 20 ms, a node at each of its steps; {@link #sample} repeats the
 * law for each second in between, as the limit rises slowly. Growth between two samples of 20 ms is
 * far below the reserve's share of the node and is left out.
 */
public final class BestEffortLimit {
  /** Cause of the kills; those of Linux at the limit have {@link LinuxOomKiller#CAUSE}. */
  public static final String CAUSE = "memory-limit";

  private static final long SLOW_SAMPLE_NANOS = Duration.ofSeconds(1).toNanos();

  /** After this time without a step the limit has risen as far as it can. */
  private static final long MAX_SAMPLES = 120;

  /** Best-effort may grow by so much while its limit is lowered (docs/memory-limit.md). */
  private static final long CLAMP_BYTES = 4L << 20;

  private static final int SCORE = 1000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final NodeSize size;
  private final KillDelay delay;
  private final RandomGenerator random;
  private final Reserve reserve;
  private final MemoryLimitLaw law = new MemoryLimitLaw(OptionalLong.empty());
  private final TakeBack takeBack = new TakeBack();
  private final LaunchWait launchWait = new LaunchWait(LaunchWait.FIRST);
  private LimitBasis basis;
  private long basisNanos;
  private long sampledNanos;
  private double othersBytes;
  private double heldBytes;
  private long limitBytes;
  private double enforcedBytes = Double.POSITIVE_INFINITY;
  private boolean isDue;

  /**
   * Creates the limit of an empty node.
   *
   * @param size size of the node
   * @param delay time from the decision to kill until the memory is free
   * @param random draws the delays
   */
  public BestEffortLimit(NodeSize size, KillDelay delay, RandomGenerator random) {
    this.size = size;
    this.delay = delay;
    this.random = random;
    this.reserve = Reserve.of(size.memoryBytes(), 0, 0, OptionalLong.empty());
    this.basis = basis(List.of(), 0);
    this.limitBytes = size.memoryBytes() - reserve.bytes();
  }

  /**
   * Samples the node; to be called whenever its memory may have changed.
   *
   * @param running the containers, which have grown steadily since the last sample
   * @param nowNanos the current time, not before that of the last sample
   */
  void sample(RunningContainers running, long nowNanos) {
    double others = running.productionChargedBytes();
    double held = running.bestEffortBytes();
    long elapsed = nowNanos - sampledNanos;
    if (elapsed == 0 && others == othersBytes && held == heldBytes) {
      return;
    }
    for (long left = Math.min(elapsed / SLOW_SAMPLE_NANOS, MAX_SAMPLES); left > 0; left--) {
      double share = (double) (left * SLOW_SAMPLE_NANOS) / elapsed;
      applyLaw(
          nowNanos - left * SLOW_SAMPLE_NANOS,
          others + (othersBytes - others) * share,
          held + (heldBytes - held) * share);
    }
    if (nowNanos - basisNanos >= SLOW_SAMPLE_NANOS) {
      basis = basis(running.list(), nowNanos);
      basisNanos = nowNanos;
    }
    applyLaw(nowNanos, others, held);
    othersBytes = others;
    heldBytes = held;
    sampledNanos = nowNanos;
    double wanted = bytes();
    double anonymous = running.bestEffortAnonymousBytes();
    enforcedBytes =
        anonymous <= wanted ? wanted : Math.max(wanted, Math.min(enforcedBytes, anonymous));
  }

  private void applyLaw(long nanos, double others, double held) {
    limitBytes =
        law.decide(
                new FastSample(nanos, Math.round(others + held), Math.round(held), 0), basis, true)
            .limitBytes();
  }

  private LimitBasis basis(List<NodeContainer> containers, long nowNanos) {
    long used = 0;
    long clean = 0;
    List<Holder> holders = new ArrayList<>();
    List<ColdStart> starts = new ArrayList<>();
    for (NodeContainer container : containers) {
      if (!container.isBestEffort()) {
        long charged = container.chargedBytes();
        long cache = charged - container.anonymousBytes();
        long requested = container.plan().requestedBytes();
        used += charged;
        clean += cache;
        holders.add(new Holder(container.plan().id(), charged, cache, requested));
        starts.add(new ColdStart(container.startedNanos(), requested, charged));
      }
    }
    return LimitBasis.of(
        new SlowSample(size.memoryBytes(), used, clean, holders, 0, 0),
        reserve,
        0,
        ColdStart.claimBytes(starts, nowNanos),
        false);
  }

  /** Returns the limit, at least what the kernel enforces, in bytes. */
  double bytes() {
    return Math.max(limitBytes, LimitDecision.MIN_LIMIT_BYTES);
  }

  /** Returns the memory that best-effort may hold after a launch, in bytes. */
  OptionalLong launchBytes(long nowNanos) {
    return OptionalLong.of(
        launchWait.left(nowNanos).isZero()
            ? LaunchRoom.of(limitBytes, 0, 0, basis.claimBytes()).bytes()
            : 0);
  }

  /**
   * Returns the next victim, chosen by the NodeManager or by Linux at the limit; to be called again
   * until there is none.
   */
  Optional<Killer.Kill> decide(RunningContainers running, long nowNanos) {
    double anonymous = running.bestEffortAnonymousBytes();
    double dying = running.dyingBytes();
    long due = Math.max(0, Math.round(anonymous - dying) - limitBytes);
    isDue = due > basis.slackBytes();
    long killBytes = takeBack.killBytes(new Shortage(due, 0, basis.slackBytes()), nowNanos);
    if (dying == 0 && anonymous > enforcedBytes + CLAMP_BYTES) {
      return mortal(running)
          .max(Comparator.comparingLong(NodeContainer::anonymousBytes))
          .map(largest -> new Killer.Kill(largest, LinuxOomKiller.CAUSE, 0));
    }
    if (killBytes == 0) {
      return Optional.empty();
    }
    List<NodeContainer> mortal = mortal(running).toList();
    List<Candidate> candidates =
        mortal.stream().map(container -> candidate(container, nowNanos)).toList();
    Optional<Candidate> victim = VictimSelection.choose(candidates, killBytes).stream().findFirst();
    if (victim.isPresent()) {
      launchWait.killed(nowNanos);
    }
    return victim.map(
        chosen ->
            new Killer.Kill(
                mortal.get(candidates.indexOf(chosen)),
                CAUSE,
                delay.drawNanos(random, chosen.freesBytes())));
  }

  private static Stream<NodeContainer> mortal(RunningContainers running) {
    return running.list().stream()
        .filter(container -> container.isBestEffort() && !container.isDying());
  }

  private static Candidate candidate(NodeContainer container, long nowNanos) {
    return new Candidate(
        container.number(),
        container.anonymousBytes(),
        (nowNanos - container.startedNanos()) / NANOS_PER_MILLI,
        SCORE);
  }

  /**
   * Returns the time after which the node has to be sampled again, in nanoseconds; infinite if its
   * own steps suffice.
   */
  double nanosToSample(RunningContainers running) {
    double reached = running.nanosToLimit(bytes(), (double) reserve.bytes());
    return isDue ? Math.min(reached, (double) TakeBack.TIMEOUT.toNanos()) : reached;
  }
}
