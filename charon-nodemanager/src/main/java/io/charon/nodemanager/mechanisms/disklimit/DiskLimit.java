/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.disklimit;

import io.charon.core.law.disklimit.Disk;
import io.charon.core.law.disklimit.Disks;
import io.charon.core.law.disklimit.ReadShare;
import io.charon.core.law.disklimit.RefillCause;
import io.charon.core.law.disklimit.RefillDecision;
import io.charon.core.law.disklimit.RefillLaw;
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
import io.charon.nodemanager.sensor.MemoryHolding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Limits best-effort's reads to a share of each disk's speed while production refills its page
 * cache ({@link RefillLaw}). The limit is that share; 1, the whole speed, means no limit.
 */
public final class DiskLimit implements Mechanism {
  /** The mechanism's name in keys, metrics, status and audit. */
  public static final String NAME = "disk-limit";

  /** The share of each disk's speed that best-effort may use for reads; 1 means all. */
  static final Limit LIMIT = new Limit("DISK_READS");

  /** The cause reported while no best-effort container runs whose reads could delay production. */
  static final String NO_BEST_EFFORT = "no best-effort container runs";

  private static final double ALL = 1;
  private static final double MEGABYTE = 1e6;

  private record Decided(
      List<Disk> disks, RefillDecision decision, String cause, SortedMap<String, Long> rates) {}

  private final Availability availability;
  private final ReadShare share;
  private final RefillLaw law = new RefillLaw();
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism that has not read anything yet.
   *
   * @param availability whether this machine provides the readings
   * @param share the share of each disk that best-effort may read while production refills
   */
  DiskLimit(Availability availability, ReadShare share) {
    this.availability = availability;
    this.share = share;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return availability;
  }

  /**
   * Requires the disks only. If the holders of memory cannot be read, a limit still has to be
   * lifted, so that reading is optional.
   */
  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(Disks.class);
  }

  @Override
  public Set<Limit> limits() {
    return Set.of(LIMIT);
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    List<Disk> disks = seen.get(Disks.class).all();
    Optional<MemoryHolding> holding = seen.find(MemoryHolding.class);
    RefillDecision decision =
        law.decide(
            seen.nanos(),
            holding.filter(MemoryHolding::bestEffortRuns).map(known -> known.sample().holders()),
            disks);
    String cause =
        holding.isPresent() && decision.cause() == RefillCause.UNSEEN
            ? NO_BEST_EFFORT
            : decision.cause().text();
    boolean limits = decision.cause().limits();
    SortedMap<String, Long> rates = limits ? rates(disks) : new TreeMap<>();
    Change change = Change.between(rates(), rates);
    last = Optional.of(new Decided(disks, decision, cause, rates));
    return List.of(
        new Action.SetLimit(
            LIMIT,
            ALL,
            Optional.empty(),
            change,
            true,
            new Basis(
                "production's page cache",
                inputs(disks, decision, rates),
                limits ? share.ratio() : ALL,
                limits ? "LIMIT" : "FREE",
                reason(decision, cause))));
  }

  /**
   * Returns the limits of the last decision, in bytes per second, by the numbers of the disks; a
   * disk that is missing has no limit. Safe for use by any thread.
   */
  SortedMap<String, Long> rates() {
    return last.map(Decided::rates).orElseGet(TreeMap::new);
  }

  /** Returns the limits from now on. A disk whose speed is not known now keeps its limit. */
  private SortedMap<String, Long> rates(List<Disk> disks) {
    SortedMap<String, Long> rates = new TreeMap<>(rates());
    if (!disks.isEmpty()) { // otherwise they could not be read
      rates.keySet().retainAll(disks.stream().map(Disk::number).toList());
    }
    disks.forEach(disk -> share.of(disk).ifPresent(rate -> rates.put(disk.number(), rate)));
    return rates;
  }

  private static Map<String, Double> inputs(
      List<Disk> disks, RefillDecision decision, SortedMap<String, Long> rates) {
    Map<String, Double> inputs = new LinkedHashMap<>();
    inputs.put("missing", (double) decision.missingBytes());
    inputs.put("refilling", (double) decision.refilling().size());
    for (Disk disk : disks) {
      disk.speedBytesPerSecond()
          .ifPresent(speed -> inputs.put("speed." + disk.name(), (double) speed));
      if (rates.containsKey(disk.number())) {
        inputs.put("rate." + disk.name(), (double) rates.get(disk.number()));
      }
    }
    return inputs;
  }

  private static String reason(RefillDecision decision, String cause) {
    return decision.refilling().isEmpty()
        ? cause
        : String.format(
            Locale.ROOT,
            "%s; %s: %.0f MB of page cache missing",
            cause,
            String.join(", ", decision.refilling()),
            decision.missingBytes() / MEGABYTE);
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last;
    return new MechanismReport(
        "page cache that production lacks and reads",
        Optional.empty(),
        List.of(
            new Quantity(
                MechanismReport.LIMIT,
                "bytes_per_second",
                decided
                    .map(known -> sum(known.rates().values().stream()))
                    .orElseGet(OptionalDouble::empty)),
            new Quantity(
                MechanismReport.CAPACITY,
                "bytes_per_second",
                decided.map(known -> sum(speeds(known))).orElseGet(OptionalDouble::empty)),
            Quantity.of(
                MechanismReport.VALUE,
                "bytes",
                decided.map(known -> known.decision().missingBytes()))),
        decided.map(known -> speeds(known.disks())).filter(text -> !text.isEmpty()),
        decided.map(Decided::cause));
  }

  private static Stream<Long> speeds(Decided decided) {
    return decided.disks().stream().flatMap(disk -> disk.speedBytesPerSecond().stream().boxed());
  }

  private static OptionalDouble sum(Stream<Long> rates) {
    long sum = rates.mapToLong(Long::longValue).sum();
    return sum > 0 ? OptionalDouble.of((double) sum) : OptionalDouble.empty();
  }

  private static String speeds(List<Disk> disks) {
    return disks.stream()
        .filter(disk -> disk.speedBytesPerSecond().isPresent())
        .map(
            disk ->
                String.format(
                    Locale.ROOT,
                    "%s delivered %.0f MB/s recently",
                    disk.name(),
                    disk.speedBytesPerSecond().getAsLong() / MEGABYTE))
        .collect(Collectors.joining(", "));
  }
}
