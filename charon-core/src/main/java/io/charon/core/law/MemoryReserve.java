/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.kill.VictimOrder;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Bounds the memory of best-effort to what the foreground's reserve leaves ({@link
 * ReserveRegulator}). No container starts that would need more than is left, and use above the
 * bound is reclaimed at once, by killing the newest containers of the lowest priority ({@link
 * VictimOrder}).
 *
 * <p>No container is killed while the reserve is unknown: during the first window after a restart,
 * containers that ran before continue and no new one starts.
 */
public final class MemoryReserve implements Mechanism {
  /** Maximum number of kills per decision, however far the use is above the limit. Our choice. */
  private static final int MAX_KILLS = 5;

  private static final long MEBIBYTE = 1024 * 1024;

  private final RegulatedLimit limit;

  /**
   * Creates a mechanism without observations.
   *
   * @param settings how the range is learned
   */
  public MemoryReserve(RangeSettings settings) {
    this.limit =
        new RegulatedLimit(
            new RegulatedLimit.Subject(
                "memory",
                Limit.MEMORY,
                "bytes",
                "working set and swap",
                "bytes",
                NodeReading::memory,
                node -> node.memory().foreground(),
                Optional.empty()),
            new ReserveRegulator(settings),
            CheckedAvailability.fixed(Availability.available()));
  }

  @Override
  public String name() {
    return limit.name();
  }

  @Override
  public Availability availability() {
    return limit.availability();
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(NodeReading.class, BestEffortTasks.class);
  }

  @Override
  public Set<Limit> limits() {
    return limit.limits();
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    List<Action> actions = new ArrayList<>(limit.decide(seen));
    if (limit.decision().flatMap(Decision::range).isPresent()) {
      takeBack(seen.get(BestEffortTasks.class), actions);
    }
    return actions;
  }

  private static void takeBack(BestEffortTasks tasks, List<Action> actions) {
    Basis basis = actions.get(0).basis();
    long limitBytes = (long) basis.limit();
    long heldBytes = tasks.heldBytes();
    for (BestEffortTasks.Task victim :
        VictimOrder.NEWEST.victims(
            tasks,
            BestEffortTasks.Task::releasedBytes,
            (double) (heldBytes - limitBytes),
            MAX_KILLS)) {
      actions.add(kill(victim, heldBytes, basis));
      heldBytes -= victim.releasedBytes();
    }
  }

  private static Action kill(BestEffortTasks.Task victim, long heldBytes, Basis basis) {
    return new Action.Kill(
        victim.id(),
        List.of(),
        new Basis(
            basis.protects(),
            basis.inputs(),
            basis.limit(),
            basis.rule(),
            "memory regulator: best-effort holds %s, the foreground's reserve leaves %s; this container"
                    .formatted(mebibytes(heldBytes), mebibytes((long) basis.limit()))
                + " holds "
                + mebibytes(victim.bytes())));
  }

  @Override
  public MechanismReport report() {
    return limit.report();
  }

  /** Returns the last decision; empty before the first one. */
  public Optional<Decision> decision() {
    return limit.decision();
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%d MiB", bytes / MEBIBYTE);
  }
}
