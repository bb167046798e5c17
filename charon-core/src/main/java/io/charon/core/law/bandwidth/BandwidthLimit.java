/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.bandwidth;

import io.charon.core.law.bandwidth.BandwidthLaw.Allowed;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Limits the memory bandwidth of best-effort, separately for each socket: by {@link BandwidthLaw},
 * or to a fixed share. The amount of the limit is the mean over the sockets, in percent; the
 * actuator reads the shares from {@link #allowed()}.
 */
public final class BandwidthLimit implements Mechanism {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "memory-bandwidth";

  /** Percent of the highest memory bandwidth; each socket has its own share. */
  public static final Limit LIMIT = new Limit("MEMORY_BANDWIDTH");

  private static final double PERCENT = 100;
  private static final double MEGABYTE = 1e6;

  private record Decided(SortedMap<Integer, Allowed> allowed, BandwidthUse seen) {}

  private final CheckedAvailability availability;
  private final OptionalInt fixedPercent;
  private final OptionalDouble peak;
  private final SortedMap<Integer, BandwidthLaw> laws = new TreeMap<>();
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism without observations.
   *
   * @param availability whether this machine can measure and limit the bandwidth
   * @param fixedPercent the share of best-effort, 1 to 100; empty: the law decides
   * @param peak the highest bandwidth of one socket, bytes per second; empty: the law learns it
   */
  public BandwidthLimit(
      CheckedAvailability availability, OptionalInt fixedPercent, OptionalDouble peak) {
    this.availability = availability;
    this.fixedPercent = fixedPercent;
    this.peak = peak;
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
    return Set.of(BandwidthUse.class);
  }

  @Override
  public Set<Limit> limits() {
    return Set.of(LIMIT);
  }

  /** Returns the last decision by the number of the cache; safe for use by any thread. */
  public SortedMap<Integer, Allowed> allowed() {
    return last.map(Decided::allowed).orElseGet(TreeMap::new);
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    BandwidthUse use = seen.get(BandwidthUse.class);
    SortedMap<Integer, Allowed> allowed = new TreeMap<>();
    use.domains()
        .forEach((number, domain) -> allowed.put(number, allowed(seen.nanos(), number, domain)));
    Change change = Change.between(limits(allowed()), limits(allowed));
    last = Optional.of(new Decided(allowed, use));
    if (allowed.isEmpty()) {
      return List.of();
    }
    double percent =
        PERCENT * allowed.values().stream().mapToDouble(Allowed::share).average().orElseThrow();
    return List.of(
        new Action.SetLimit(
            LIMIT,
            PERCENT,
            Optional.empty(),
            change,
            true,
            new Basis(
                "production", inputs(use, allowed), percent, rule(allowed), reason(allowed))));
  }

  /**
   * Returns the rates of the sockets that are limited, or shares where the highest bandwidth is
   * unknown. Their mean alone may stay the same while they move.
   */
  private static Map<Integer, Double> limits(SortedMap<Integer, Allowed> allowed) {
    Map<Integer, Double> limits = new TreeMap<>();
    allowed.forEach(
        (number, one) -> {
          if (one.share() < BandwidthLaw.ALL) {
            limits.put(number, one.share() * one.peak().orElse(1));
          }
        });
    return limits;
  }

  private Allowed allowed(long nanos, int number, BandwidthUse.Domain domain) {
    return fixedPercent.isPresent()
        ? new Allowed(fixedPercent.getAsInt() / PERCENT, peak, BandwidthCause.FIXED)
        : laws.computeIfAbsent(number, one -> new BandwidthLaw(peak)).decide(nanos, domain);
  }

  private static Map<String, Double> inputs(BandwidthUse use, SortedMap<Integer, Allowed> allowed) {
    Map<String, Double> inputs = new LinkedHashMap<>();
    allowed.forEach(
        (number, one) -> {
          BandwidthUse.Domain domain = use.domains().get(number);
          domain.total().ifPresent(rate -> inputs.put("total." + number, rate));
          domain.bestEffort().ifPresent(rate -> inputs.put("bestEffort." + number, rate));
          one.peak().ifPresent(rate -> inputs.put("peak." + number, rate));
          inputs.put("percent." + number, PERCENT * one.share());
        });
    return inputs;
  }

  private static String rule(SortedMap<Integer, Allowed> allowed) {
    return allowed.values().stream()
        .map(one -> one.cause().name())
        .distinct()
        .collect(Collectors.joining("+"));
  }

  private static String reason(SortedMap<Integer, Allowed> allowed) {
    return allowed.entrySet().stream()
        .map(
            one ->
                String.format(
                    Locale.ROOT,
                    "cache %d: %s, %.0f %%",
                    one.getKey(),
                    one.getValue().cause().text(),
                    PERCENT * one.getValue().share()))
        .collect(Collectors.joining("; "));
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last.filter(known -> !known.allowed().isEmpty());
    return new MechanismReport(
        "memory bandwidth",
        fixedPercent.isPresent() || peak.isPresent()
            ? Optional.empty()
            : Optional.of("the highest bandwidth is learned over 24 h; no limit until then"),
        List.of(
            Quantity.of(
                "share",
                "percent",
                decided.map(
                    known ->
                        PERCENT
                            * known.allowed().values().stream()
                                .mapToDouble(Allowed::share)
                                .average()
                                .orElse(1))),
            rate(MechanismReport.VALUE, decided, BandwidthUse.Domain::total),
            rate(MechanismReport.BEST_EFFORT, decided, BandwidthUse.Domain::bestEffort)),
        decided.map(known -> rates(known.seen())),
        decided.map(known -> reason(known.allowed())));
  }

  private static Quantity rate(
      String name, Optional<Decided> decided, Function<BandwidthUse.Domain, OptionalDouble> rate) {
    return new Quantity(
        name,
        "bytes_per_second",
        decided.map(known -> sum(known.seen(), rate)).orElseGet(OptionalDouble::empty));
  }

  private static OptionalDouble sum(
      BandwidthUse seen, Function<BandwidthUse.Domain, OptionalDouble> rate) {
    return seen.domains().values().stream()
        .flatMapToDouble(domain -> rate.apply(domain).stream())
        .reduce(Double::sum);
  }

  private static String rates(BandwidthUse seen) {
    return seen.domains().entrySet().stream()
        .map(
            one ->
                String.format(
                    Locale.ROOT,
                    "cache %d: %s MB/s, best-effort %s",
                    one.getKey(),
                    megabytes(one.getValue().total()),
                    megabytes(one.getValue().bestEffort())))
        .collect(Collectors.joining("; "));
  }

  private static String megabytes(OptionalDouble rate) {
    return rate.isPresent()
        ? String.format(Locale.ROOT, "%.0f", rate.getAsDouble() / MEGABYTE)
        : "unknown";
  }
}
