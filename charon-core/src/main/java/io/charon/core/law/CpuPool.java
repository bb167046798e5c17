/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.law.SharedPool.Change;
import io.charon.core.law.SharedPool.Decision;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.core.mechanism.PoolUse;
import io.charon.core.mechanism.PoolUse.Member;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Gives production containers that share processors a CPU quota, initially their vcores, and
 * changes it by the law of the {@link SharedPool}. A container that is pinned to its own processors
 * is not in the pool and gets no quota from this mechanism. A quota can slow production down where
 * nothing did before, so only an operator turns this mechanism on.
 */
public final class CpuPool implements Mechanism {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "cpu-pool";

  /** CPU time of a production container that shares processors; set for each separately. */
  public static final Limit LIMIT = new Limit("CPU_POOL");

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double PERCENT = 100;

  private record Counted(long nanos, double usedSeconds, long throttledPeriods) {}

  /** The use of a container over the last round. */
  private record Round(double usedCores, boolean throttled) {}

  private record Decided(PoolUse seen, double line, OptionalDouble used) {}

  private final OptionalDouble highUse;
  private final Availability availability;
  private final Map<String, Counted> before = new HashMap<>();
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism without observations.
   *
   * @param highUse share of the pool's processors above which quotas are reduced, above 0, at most
   *     1; empty: the default, which depends on whether threads share cores
   * @param availability whether containers have cgroups on this machine
   */
  public CpuPool(OptionalDouble highUse, Availability availability) {
    this.highUse = highUse;
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
    return Set.of(PoolUse.class);
  }

  @Override
  public Set<Limit> limits() {
    return Set.of(LIMIT);
  }

  @Override
  public Duration period() {
    return Duration.ofMillis(SharedPool.ROUND_MILLIS);
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    PoolUse read = seen.get(PoolUse.class);
    SharedPool law = law(read);
    Map<String, Round> rounds = rounds(seen.nanos(), read);
    double used = rounds.values().stream().mapToDouble(Round::usedCores).sum();
    List<Action> actions = new ArrayList<>();
    for (Member member : read.members()) {
      if (member.exclusive()) {
        if (member.given()) {
          actions.add(restored(member));
        }
      } else if (member.quotaCores().isEmpty()) {
        actions.add(given(member));
      } else if (rounds.containsKey(member.id())) {
        Round round = rounds.get(member.id());
        Decision decision =
            law.of(
                new SharedPool.Member(
                    member.originalCores(),
                    member.quotaCores().getAsDouble(),
                    round.usedCores(),
                    round.throttled()),
                law.isFull(used, read.cores()),
                read.cores());
        if (decision.change() != Change.HOLD) {
          actions.add(moved(member, round, decision, used, read, law));
        }
      }
    }
    last =
        Optional.of(
            new Decided(
                read,
                law.highUse(),
                rounds.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(used)));
    return actions;
  }

  private SharedPool law(PoolUse read) {
    return new SharedPool(
        highUse.orElse(
            read.threadsPerCore() > 1
                ? SharedPool.HIGH_USE_OF_THREADS
                : SharedPool.HIGH_USE_OF_CORES));
  }

  /** Returns the rounds of containers that share the pool and were seen at the previous round. */
  private Map<String, Round> rounds(long nanos, PoolUse read) {
    Map<String, Counted> now = new HashMap<>();
    Map<String, Round> rounds = new HashMap<>();
    for (Member member : read.members()) {
      if (!member.exclusive()) {
        Counted counted = new Counted(nanos, member.usedSeconds(), member.throttledPeriods());
        now.put(member.id(), counted);
        round(before.get(member.id()), counted).ifPresent(round -> rounds.put(member.id(), round));
      }
    }
    before.clear();
    before.putAll(now);
    return rounds;
  }

  /** Counters that fell belong to a new cgroup of the same name. */
  private static Optional<Round> round(Counted from, Counted to) {
    if (from == null
        || to.nanos() <= from.nanos()
        || to.usedSeconds() < from.usedSeconds()
        || to.throttledPeriods() < from.throttledPeriods()) {
      return Optional.empty();
    }
    double seconds = (to.nanos() - from.nanos()) / NANOS_PER_SECOND;
    return Optional.of(
        new Round(
            (to.usedSeconds() - from.usedSeconds()) / seconds,
            to.throttledPeriods() > from.throttledPeriods()));
  }

  private static Action restored(Member member) {
    return new Action.SetQuota(
        LIMIT,
        member.id(),
        "restore",
        OptionalDouble.empty(),
        new Basis(
            "production",
            Map.of("quotaCores", member.quotaCores().orElse(0)),
            0,
            "RESTORE",
            "it has processors of its own and is not a member of the pool: its original quota is restored"));
  }

  private static Action given(Member member) {
    return quota(
        member,
        "give",
        member.originalCores(),
        Map.of("originalCores", member.originalCores()),
        String.format(
            Locale.ROOT,
            "it is a member of the pool: its quota is its %.2f vcores",
            member.originalCores()));
  }

  private static Action moved(
      Member member, Round round, Decision decision, double used, PoolUse read, SharedPool law) {
    double quota = member.quotaCores().orElseThrow();
    String pool =
        String.format(
            Locale.ROOT,
            "the pool uses %.2f of %d cores, threshold %.0f %%",
            used,
            read.cores(),
            PERCENT * law.highUse());
    String reason =
        decision.change() == Change.RAISE
            ? String.format(
                Locale.ROOT,
                "%s at %.2f cores; %s",
                round.throttled() ? "it was throttled" : "its quota is below its own vcores",
                quota,
                pool)
            : law.isFull(used, read.cores())
                ? pool + ": the pool is full"
                : String.format(
                    Locale.ROOT,
                    "it used %.2f cores, more than its own %.2f vcores; %s",
                    round.usedCores(),
                    member.originalCores(),
                    pool);
    return quota(
        member,
        decision.change().name().toLowerCase(Locale.ROOT),
        decision.quotaCores(),
        Map.of(
            "originalCores",
            member.originalCores(),
            "quotaCores",
            quota,
            "usedCores",
            round.usedCores(),
            "poolUsedCores",
            used,
            "poolCores",
            (double) read.cores()),
        reason);
  }

  private static Action quota(
      Member member, String verb, double cores, Map<String, Double> inputs, String reason) {
    return new Action.SetQuota(
        LIMIT,
        member.id(),
        verb,
        OptionalDouble.of(cores),
        new Basis("production", inputs, cores, verb.toUpperCase(Locale.ROOT), reason));
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last;
    return new MechanismReport(
        "use of the pool",
        Optional.empty(),
        List.of(
            new Quantity(
                MechanismReport.VALUE,
                "cores",
                decided.map(Decided::used).orElseGet(OptionalDouble::empty)),
            Quantity.of(
                MechanismReport.CAPACITY, "cores", decided.map(known -> known.seen().cores()))),
        decided.map(known -> detail(known.seen())),
        decided.map(
            known ->
                String.format(
                    Locale.ROOT,
                    "quotas rise while the pool uses at most %.0f %%, and are halved above that",
                    PERCENT * known.line())));
  }

  private static String detail(PoolUse seen) {
    long shared = seen.members().stream().filter(member -> !member.exclusive()).count();
    long raised =
        seen.members().stream()
            .filter(member -> !member.exclusive())
            .filter(member -> member.quotaCores().orElse(0) > member.originalCores())
            .count();
    return String.format(
        Locale.ROOT,
        "%d containers share the pool, %d with a raised quota; %d have processors of their own",
        shared,
        raised,
        seen.members().size() - shared);
  }
}
