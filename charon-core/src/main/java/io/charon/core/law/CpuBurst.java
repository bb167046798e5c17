/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.ContainerBandwidths;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.ContainerBandwidths.Container;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gives every production container that has a CPU quota a {@link TokenBucket}. It does not
 * introduce quotas, which would be a new harm. Best-effort keeps its values, because its quota has
 * to take effect at once.
 */
public final class CpuBurst implements Mechanism {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "cpu-burst";

  /** The CPU time that a production container may save; set for each container separately. */
  public static final Limit LIMIT = new Limit("CPU_BURST");

  /** The reported state if there is nothing to do. */
  public static final String NO_QUOTA = "no container has a quota";

  private static final double MICROS_PER_MILLI = 1000;

  private record Decided(ContainerBandwidths seen, long buckets) {}

  private final int factor;
  private final Availability availability;
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism without observations.
   *
   * @param factor number of quotas of 100 ms that may be used at once, 1 to 20
   * @param availability whether containers have cgroups on this machine
   */
  public CpuBurst(int factor, Availability availability) {
    this.factor = factor;
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
    return Set.of(ContainerBandwidths.class);
  }

  @Override
  public Set<Limit> limits() {
    return Set.of(LIMIT);
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    ContainerBandwidths read = seen.get(ContainerBandwidths.class);
    TokenBucket bucket = new TokenBucket(factor, read.burst());
    List<Action> actions = new ArrayList<>();
    long buckets = 0;
    for (Container container : read.containers()) {
      Bandwidth wanted = container.production() ? bucket.of(container.found()) : container.found();
      if (!wanted.equals(container.seen())) {
        actions.add(action(container, wanted));
      } else if (container.production()) {
        buckets++;
      }
    }
    last = Optional.of(new Decided(read, buckets));
    return actions;
  }

  private static Action action(Container container, Bandwidth wanted) {
    Bandwidth seen = container.seen();
    String verb = container.production() ? "burst" : "restore";
    String reason =
        container.production()
            ? String.format(
                Locale.ROOT,
                "quota of %.2f cores: %.0f ms of CPU time can be used at once instead of %.0f ms, at the same share",
                wanted.cores(),
                wanted.maxAtOnceMicros() / MICROS_PER_MILLI,
                seen.maxAtOnceMicros() / MICROS_PER_MILLI)
            : "it is no longer production: its original period, quota and burst are restored";
    return new Action.SetBandwidth(
        LIMIT,
        container.id(),
        verb,
        wanted,
        new Basis(
            "production",
            Map.of(
                "quotaMicros", (double) seen.quotaMicros(),
                "periodMicros", (double) seen.periodMicros(),
                "burstMicros", (double) seen.burstMicros(),
                "newQuotaMicros", (double) wanted.quotaMicros(),
                "newPeriodMicros", (double) wanted.periodMicros()),
            wanted.burstMicros(),
            verb.toUpperCase(Locale.ROOT),
            reason));
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last;
    Optional<Long> quotas = decided.map(known -> quotas(known.seen()));
    return new MechanismReport(
        "containers with a quota",
        Optional.empty(),
        List.of(
            Quantity.of(MechanismReport.VALUE, "containers", quotas),
            Quantity.of(
                MechanismReport.CAPACITY,
                "containers",
                decided.map(known -> known.seen().running()))),
        decided
            .filter(known -> quotas.orElse(0L) > 0)
            .map(
                known ->
                    String.format(
                        Locale.ROOT,
                        "%d of %d containers with a quota have a bucket (%s)",
                        known.buckets(),
                        quotas.orElse(0L),
                        kernel(known.seen()))),
        quotas.map(
            number ->
                number == 0
                    ? NO_QUOTA
                    : String.format(
                        Locale.ROOT,
                        "each quota has a bucket of %d times its CPU time in 100 ms",
                        factor)));
  }

  private static long quotas(ContainerBandwidths seen) {
    return seen.containers().stream().filter(Container::production).count();
  }

  private static String kernel(ContainerBandwidths seen) {
    return switch (seen.burst()) {
      case NONE -> "by the period alone: this kernel has no burst";
      case UP_TO_QUOTA -> "by a longer period and a burst as large as the quota";
      case BEYOND_QUOTA -> "by the burst alone";
    };
  }
}
