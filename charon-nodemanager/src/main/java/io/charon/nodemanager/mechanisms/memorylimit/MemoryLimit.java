/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import io.charon.core.law.memorylimit.GrowthWindow;
import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.law.memorylimit.KillCandidates.KillCandidate;
import io.charon.core.law.memorylimit.LaunchRoom;
import io.charon.core.law.memorylimit.LaunchWait;
import io.charon.core.law.memorylimit.Leftover;
import io.charon.core.law.memorylimit.LimitBasis;
import io.charon.core.law.memorylimit.LimitDecision;
import io.charon.core.law.memorylimit.MemoryLimitLaw;
import io.charon.core.law.memorylimit.MemoryLimitLaw.FastSample;
import io.charon.core.law.memorylimit.PendingRelease;
import io.charon.core.law.memorylimit.Reserve;
import io.charon.core.law.memorylimit.Shortage;
import io.charon.core.law.memorylimit.TakeBack;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.killer.client.MemoryLimitBasis;
import io.charon.killer.client.MemoryLimitReport;
import io.charon.nodemanager.sensor.MemoryHolding;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Moves the memory limit around best-effort ({@link MemoryLimitLaw}). Once a second it reads how
 * much memory each side holds and is entitled to, and passes that to a program that samples the use
 * every 20 ms. Launches may count on the same limit. Memory that best-effort holds above it, and
 * that page cache does not cover, is freed by a kill.
 */
public final class MemoryLimit implements Mechanism {
  /** The mechanism's name in keys, metrics, status and audit. */
  public static final String NAME = "memory-limit";

  private static final Duration FAST_SAMPLE = Duration.ofMillis(20);

  private static final long MEBIBYTE = 1L << 20;
  private static final String NOT_ENFORCED =
      "the limit is not enforced, because best-effort has no cgroup that contains all its containers";
  private static final String PROTECTS = "everything on the node that is not best-effort";

  private final Availability sensor;
  private final LimitTraits traits;
  private final Optional<MovingLimit> limit;
  private final TakeBack takeBack = new TakeBack();
  private final PendingRelease returning = new PendingRelease();
  private final Leftover leftover = new Leftover();
  private final LaunchWait launchWait = new LaunchWait(LaunchWait.FIRST);
  private Optional<MemoryLimitLaw> law = Optional.empty();
  private Optional<GrowthWindow> growth = Optional.empty();
  private long number;
  private double lastUse;
  private double lastLaunches;
  private volatile Optional<LimitOutcome> last = Optional.empty();

  /**
   * Creates a mechanism that has read nothing yet.
   *
   * @param sensor whether this machine provides the readings
   * @param traits the properties of best-effort's cgroups
   * @param limit the kernel's limit; empty if best-effort has no common cgroup to limit: then the
   *     decision applies to launches and kills only
   */
  MemoryLimit(Availability sensor, LimitTraits traits, Optional<MovingLimit> limit) {
    this.sensor = sensor;
    this.traits = traits;
    this.limit = limit;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return sensor;
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(MemoryHolding.class, KillCandidates.class);
  }

  @Override
  public Set<Limit> limits() {
    return limit.isPresent() ? Set.of(Limit.MEMORY, Limit.MEMORY_USE) : Set.of(Limit.MEMORY);
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    KillCandidates candidates = seen.get(KillCandidates.class);
    MemoryHolding read = seen.get(MemoryHolding.class);
    MemoryHolding holding = candidates.all().isEmpty() ? read : read.starting();
    long nanos = seen.nanos();
    Optional<LimitMover.Moved> moved = limit.flatMap(known -> known.mover().moved(nanos));
    moved.ifPresent(done -> law(nanos).adopt(nanos, done.last().limitBytes()));
    Reserve reserve = reserve(holding, moved, nanos);
    List<Action> actions = new ArrayList<>();
    limit.ifPresent(
        known ->
            actions.addAll(
                known.toProtect(nanos, holding.sample().holders(), holding.bestEffortRuns())));
    LimitBasis basis =
        LimitBasis.of(
            holding.sample(),
            reserve,
            holding.othersSwapBytes(),
            holding.claimBytes(),
            limit.filter(MovingLimit::protects).isPresent());
    LimitDecision decision =
        law(nanos)
            .decide(
                new FastSample(nanos, holding.nodeBytes(), holding.bestEffort().chargedBytes(), 0),
                basis,
                true);
    // The program's report is up to a second old: launches must not count on memory that production
    // has taken since.
    long allowed =
        moved
            .map(done -> Math.min(done.last().limitBytes(), decision.limitBytes()))
            .orElse(decision.limitBytes());
    tell(holding, basis, nanos);
    long due = Math.max(0, holding.bestEffort().chargedBytes() - allowed);
    long dueForGood =
        Math.max(0, due - returning.bytes(nanos, holding.bestEffort().chargedBytes(), candidates));
    long toKill = toKill(holding, dueForGood, basis, moved, nanos);
    List<KillCandidate> victims = candidates.victims(toKill, returning);
    victims.forEach(victim -> returning.killed(nanos, victim));
    if (!victims.isEmpty()) {
      launchWait.killed(nanos);
    }
    String cause = cause(decision.move(), holding, moved);
    long leftoverBytes =
        Math.max(0, holding.bestEffort().memoryFilesBytes() - candidates.memoryFilesBytes());
    last =
        Optional.of(
            new LimitOutcome(
                holding,
                allowed,
                due,
                leftoverBytes,
                leftover.lastingBytes(nanos, leftoverBytes, holding.sample().boundaryBytes()),
                reserve,
                cause));
    Basis used = basis(holding, reserve, allowed, due, decision.move().name(), cause);
    actions.add(launches(holding, candidates, allowed, used, nanos));
    if (limit.isPresent()) {
      actions.add(use(holding, allowed, used));
    }
    for (KillCandidate victim : victims) {
      actions.add(kill(victim, due, allowed, used));
    }
    return actions;
  }

  private MemoryLimitLaw law(long nanos) {
    if (law.isEmpty()) {
      law = Optional.of(new MemoryLimitLaw(found()));
      growth = Optional.of(new GrowthWindow(nanos, FAST_SAMPLE));
    }
    return law.get();
  }

  /** Returns the limit that an earlier NodeManager left because best-effort continued to run. */
  private OptionalLong found() {
    try {
      return limit.isPresent() ? limit.get().bytes() : OptionalLong.empty();
    } catch (IOException unreadable) {
      return OptionalLong.empty(); // reported when the limit is written
    }
  }

  /** Returns the reserve, which is larger if best-effort runs and nothing samples every 20 ms. */
  private Reserve reserve(MemoryHolding holding, Optional<LimitMover.Moved> moved, long nanos) {
    var unused = law(nanos);
    GrowthWindow window = growth.orElseThrow();
    moved.ifPresent(done -> window.add(nanos, done.largestGrowthBytes()));
    boolean slowOnly =
        holding.bestEffortRuns()
            && limit.map(known -> known.mover().missing().isPresent()).orElse(true);
    return slowOnly
        ? Reserve.forSlowSamples(holding.sample().boundaryBytes())
        : Reserve.of(
            holding.sample().boundaryBytes(),
            window.largestBytes(nanos),
            holding.sample().othersBytes(),
            OptionalLong.empty());
  }

  /**
   * Passes the basis to the program, which is stopped while no best-effort container runs. It only
   * samples until {@link MovingLimit#apply} sets a limit.
   */
  private void tell(MemoryHolding holding, LimitBasis basis, long nanos) {
    if (!holding.bestEffortRuns()) {
      limit.ifPresent(known -> known.mover().stop());
      return;
    }
    number++;
    limit.ifPresent(
        known ->
            known.update(
                nanos,
                new MemoryLimitBasis(
                    number,
                    basis,
                    holding.sample().othersCleanBytes(),
                    OptionalLong.of(traits.limitsSwap() ? 0 : MemoryLimitBasis.ANY_SWAP),
                    traits.swappiness(),
                    traits.dirtyPercent(),
                    false)));
  }

  private long toKill(
      MemoryHolding holding,
      long dueBytes,
      LimitBasis basis,
      Optional<LimitMover.Moved> moved,
      long nanos) {
    Shortage shortage =
        new Shortage(dueBytes, holding.bestEffort().cleanBytes(), basis.slackBytes());
    long uncoveredMillis = moved.map(done -> done.last().uncoveredMillis()).orElse(0L);
    if (uncoveredMillis > 0) {
      var unused =
          takeBack.killBytes(shortage, nanos - TimeUnit.MILLISECONDS.toNanos(uncoveredMillis));
    }
    return takeBack.killBytes(shortage, nanos);
  }

  private static String cause(
      LimitDecision.Move move, MemoryHolding holding, Optional<LimitMover.Moved> moved) {
    if (!holding.bestEffortRuns()) {
      return "no best-effort container runs: nothing is limited";
    }
    LimitDecision.Move shown = moved.map(done -> strongest(done.last().moves())).orElse(move);
    return switch (shown) {
      case TAKE -> "lowered: others need memory that they are entitled to";
      case KEEP ->
          "kept at best-effort's current use: others hold page cache beyond their entitlement";
      case GIVE -> "raised: others did not need the memory for ten seconds";
      case STAY -> "unchanged";
    };
  }

  private static LimitDecision.Move strongest(MemoryLimitReport.Moves moves) {
    if (moves.takes() > 0) {
      return LimitDecision.Move.TAKE;
    }
    if (moves.keeps() > 0) {
      return LimitDecision.Move.KEEP;
    }
    return moves.gives() > 0 ? LimitDecision.Move.GIVE : LimitDecision.Move.STAY;
  }

  private static Basis basis(
      MemoryHolding holding, Reserve reserve, long allowed, long due, String rule, String cause) {
    Map<String, Double> inputs = new LinkedHashMap<>();
    inputs.put(MechanismReport.CAPACITY, (double) holding.sample().boundaryBytes());
    inputs.put(MechanismReport.BEST_EFFORT, (double) holding.bestEffort().chargedBytes());
    inputs.put("others", (double) holding.sample().othersBytes());
    inputs.put("excess", (double) holding.sample().excessBytes());
    inputs.put("reserve", (double) reserve.bytes());
    inputs.put("claim", (double) holding.claimBytes());
    inputs.put("due", (double) due);
    return new Basis(
        PROTECTS, inputs, wholeMebibytes(allowed), rule.toLowerCase(Locale.ROOT), cause);
  }

  private static double wholeMebibytes(long bytes) {
    return Math.max(0, bytes / MEBIBYTE * MEBIBYTE);
  }

  /** Returns the memory that launches may count on; none for a while after a kill. */
  private Action launches(
      MemoryHolding holding, KillCandidates candidates, long allowed, Basis used, long nanos) {
    long hidden = Math.max(0, holding.bestEffort().unreclaimableBytes() - candidates.heldBytes());
    long swapped = traits.limitsSwap() ? holding.bestEffort().swapBytes() : 0;
    long left = LaunchRoom.of(allowed, hidden + swapped, 0, holding.claimBytes()).bytes();
    Duration wait = launchWait.left(nanos);
    double bytes = wait.isZero() ? wholeMebibytes(left) : 0;
    Change change = Change.between(lastLaunches, bytes);
    lastLaunches = bytes;
    return new Action.SetLimit(
        Limit.MEMORY,
        holding.sample().boundaryBytes(),
        Optional.empty(),
        change,
        true,
        new Basis(
            used.protects(),
            used.inputs(),
            bytes,
            wait.isZero() ? "launches" : "launches wait after a kill",
            wait.isZero()
                ? "launches may use the limit, less the memory that no container accounts for and the memory that"
                    + " production that has just started will need"
                : String.format(
                    Locale.ROOT,
                    "launches wait for another %d s after a kill",
                    wait.toSeconds() + 1)));
  }

  private Action use(MemoryHolding holding, long allowed, Basis used) {
    double capacity = holding.sample().boundaryBytes();
    double bytes =
        holding.bestEffortRuns()
            ? Math.min(
                capacity - 1, wholeMebibytes(Math.max(allowed, LimitDecision.MIN_LIMIT_BYTES)))
            : capacity;
    Change change = Change.between(lastUse, bytes);
    lastUse = bytes;
    return new Action.SetLimit(
        Limit.MEMORY_USE,
        capacity,
        Optional.empty(),
        change,
        true,
        new Basis(used.protects(), used.inputs(), bytes, used.rule(), used.reason()));
  }

  private static Action kill(KillCandidate victim, long due, long allowed, Basis used) {
    return new Action.Kill(
        victim.id(),
        List.of(),
        new Basis(
            used.protects(),
            used.inputs(),
            used.limit(),
            "take back",
            String.format(
                Locale.ROOT,
                "memory limit: best-effort holds %d MiB above its limit of %d MiB, which page cache does not cover; this container holds %d MiB",
                due / MEBIBYTE,
                allowed / MEBIBYTE,
                victim.bytes() / MEBIBYTE)));
  }

  @Override
  public MechanismReport report() {
    Optional<LimitOutcome> outcome = last;
    return new MechanismReport(
        "memory that others hold within their entitlement, page cache included",
        limit
            .map(known -> known.mover().missing())
            .orElse(Optional.of(NOT_ENFORCED))
            .map(reason -> "one sample per second and a reserve of 10 %: " + reason)
            .or(() -> limit.flatMap(MovingLimit::unprotected))
            .or(() -> outcome.flatMap(LimitOutcome::warning)),
        LimitOutcome.quantities(outcome),
        limit.flatMap(known -> known.mover().abilities()),
        outcome.map(LimitOutcome::cause));
  }
}
