/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Limits the number of processes and threads that best-effort may have, so that a fork bomb, or
 * many JVMs, cannot use up those that the machine or an enclosing cgroup allows: production's next
 * fork would fail. Every bound keeps a reserve free for what production starts between two
 * readings. Nothing that runs is ended; forks of best-effort above the limit fail.
 *
 * <p>The law and its numbers are ours. Kubernetes has fixed limits per pod and a reserve per node
 * for the same purpose.
 */
public final class ProcessLimit implements Mechanism {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "process-limit";

  /** The number of processes and threads of best-effort as a whole. */
  public static final Limit LIMIT = new Limit("PROCESSES");

  /** The limit moves in steps of a power of two, at most this part of the bound (ours). */
  private static final int STEP_SHIFT = 7;

  private static final String UNIT = "threads";

  /**
   * A number of processes and threads that cannot be exceeded.
   *
   * @param name the kernel's setting or the cgroup that has it
   * @param limit the highest number, above 0
   * @param used how many there are, best-effort's included
   */
  public record Bound(String name, long limit, long used) {}

  /**
   * The processes and threads of a node.
   *
   * @param bounds all bounds that best-effort shares with others, at least one
   * @param bestEffort the number that best-effort has
   */
  public record Use(List<Bound> bounds, long bestEffort) implements Reading {
    /** Copies the bounds. */
    public Use {
      bounds = List.copyOf(bounds);
    }

    private long others(Bound bound) {
      return Math.max(0, bound.used() - bestEffort);
    }
  }

  private record Decided(Use use, Bound bound, long limit) {}

  private final double reserve;
  private final Availability availability;
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism without observations.
   *
   * @param reserve share of each bound that stays free for others, above 0, below 1
   * @param availability whether best-effort has a cgroup that can be limited
   */
  public ProcessLimit(double reserve, Availability availability) {
    this.reserve = reserve;
    this.availability = availability;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return availability;
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(Use.class);
  }

  @Override
  public Set<Limit> limits() {
    return Set.of(LIMIT);
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    Use use = seen.get(Use.class);
    Bound tightest =
        use.bounds().stream()
            .min(Comparator.comparingLong(bound -> allowed(use, bound)))
            .orElseThrow();
    long limit = inSteps(allowed(use, tightest), tightest);
    Change change =
        last.map(before -> Change.between((double) before.limit(), (double) limit))
            .orElse(Change.TIGHTEN);
    last = Optional.of(new Decided(use, tightest, limit));
    return List.of(
        new Action.SetLimit(
            LIMIT,
            (double) tightest.limit(),
            Optional.empty(),
            change,
            true,
            new Basis(
                "production",
                Map.of(
                    "others", (double) use.others(tightest),
                    "bestEffort", (double) use.bestEffort(),
                    "bound", (double) tightest.limit()),
                (double) limit,
                tightest.name(),
                reason(use, tightest))));
  }

  /** Returns what a bound leaves to best-effort. */
  private long allowed(Use use, Bound bound) {
    return Math.max(
        0, bound.limit() - (long) Math.ceil(reserve * (double) bound.limit()) - use.others(bound));
  }

  /**
   * Rounds down, and keeps the former limit until a whole step more is free, so that it does not
   * change with every thread that others start or end.
   */
  private long inSteps(long allowed, Bound bound) {
    long step = Math.max(1, Long.highestOneBit(bound.limit() >> STEP_SHIFT));
    long whole = allowed / step * step;
    return last.map(Decided::limit)
        .filter(before -> before <= whole && allowed - before < 2 * step)
        .orElse(whole);
  }

  private String reason(Use use, Bound bound) {
    return String.format(
        Locale.ROOT,
        "%s is %d, of which others have %d and %.0f %% stay free",
        bound.name(),
        bound.limit(),
        use.others(bound),
        reserve * 100);
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last;
    return new MechanismReport(
        "processes and threads of all others",
        Optional.empty(),
        List.of(
            Quantity.of(MechanismReport.LIMIT, UNIT, decided.map(Decided::limit)),
            Quantity.of(
                MechanismReport.CAPACITY, UNIT, decided.map(known -> known.bound().limit())),
            Quantity.of(
                MechanismReport.BEST_EFFORT, UNIT, decided.map(known -> known.use().bestEffort())),
            Quantity.of(
                MechanismReport.VALUE,
                UNIT,
                decided.map(known -> known.use().others(known.bound())))),
        Optional.empty(),
        decided.map(known -> reason(known.use(), known.bound())));
  }
}
