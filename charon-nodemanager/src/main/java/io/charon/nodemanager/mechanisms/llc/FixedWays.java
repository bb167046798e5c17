/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.config.WaysAmount;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Limits best-effort to a fixed part of the last-level cache at all times (ByteDance with Intel
 * RDT: 2 ways for all offline work, on more than 9,000 servers).
 */
final class FixedWays implements Mechanism {
  /** The mechanism's name in keys, metrics, status and audit. */
  static final String NAME = "cache-ways";

  private static final String WAYS = "ways";

  private record Decided(int limit, int all) {}

  private final ResctrlGroup group;
  private final WaysAmount wanted;
  private final CheckedAvailability availability;
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism that has decided nothing yet.
   *
   * @param group the group of best-effort
   * @param wanted the part of the cache that best-effort gets
   * @param availability whether this machine can partition its cache
   */
  FixedWays(ResctrlGroup group, WaysAmount wanted, CheckedAvailability availability) {
    this.group = group;
    this.wanted = wanted;
    this.availability = availability;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return availability.known();
  }

  @Override
  public void checkAgain() {
    availability.checkAgain();
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(NodeReading.class);
  }

  @Override
  public Set<Limit> limits() {
    return Set.of(Limit.CACHE_WAYS);
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    Decided now;
    try {
      int all = group.ways();
      now = new Decided(wanted.of(all, group.minWays()), all);
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    Change change = Change.between(last.map(Decided::limit).orElse(now.all()), now.limit());
    last = Optional.of(now);
    return List.of(
        new Action.SetLimit(
            Limit.CACHE_WAYS,
            now.all(),
            Optional.empty(),
            change,
            true,
            new Basis(
                "production",
                Map.of(WAYS, (double) now.all()),
                now.limit(),
                "FIXED",
                String.format(Locale.ROOT, "%s of %d ways", wanted, now.all()))));
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last;
    return new MechanismReport(
        "last-level cache",
        Optional.empty(),
        List.of(Quantity.of(WAYS, WAYS, decided.map(Decided::limit))),
        decided.map(
            known -> String.format(Locale.ROOT, "%d of %d ways", known.limit(), known.all())),
        decided.map(known -> "a fixed share: " + wanted));
  }
}
