/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.reclaim;

import io.charon.core.law.reclaim.ReclaimGate.Cause;
import io.charon.core.law.reclaim.ReclaimGate.Verdict;
import io.charon.core.law.reclaim.ReclaimableContainers.Container;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Action.ReclaimCold.Portion;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reclaims cold memory of running containers, a little of each at a time: of best-effort, and of
 * production if the operator configures it.
 */
public final class ProactiveReclaim implements Mechanism {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "proactive-reclaim";

  /** Memory that a container holds and does not use; reclaimed from each, without a limit. */
  public static final Limit LIMIT = new Limit("COLD_MEMORY");

  /** Quantity: bytes reclaimed from the running containers since Charon first saw them. */
  public static final String TAKEN = "taken";

  /** Maximum portion of one container, so that a write completes within 50 ms. Our choice. */
  public static final long LARGEST_PORTION_BYTES = 32L << 20;

  /** Portions are multiples of the largest page size of Linux's architectures. */
  private static final long PORTION_UNIT_BYTES = 64 << 10;

  /** Nothing is reclaimed for this long after a kill: memory may still be short. Our choice. */
  private static final Duration CALM = Duration.ofMinutes(1);

  /** Minimum share of swap that must be free, in percent (oomd). */
  private static final int FREE_SWAP_PERCENT = 20;

  private static final double PERCENT = 100;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NAMED = 20;
  private static final long MEBIBYTE = 1 << 20;

  private record Decided(ReclaimableContainers seen, boolean calm, Map<Cause, Integer> causes) {}

  private final ReclaimSettings settings;
  private final Duration tick;
  private final Availability availability;
  private final Map<String, ReclaimGate> fences = new HashMap<>();
  private int turn;
  private volatile Optional<Decided> last = Optional.empty();

  /**
   * Creates a mechanism without observations.
   *
   * @param settings how much is reclaimed, and when to stop
   * @param tick the time between two readings of the node
   * @param availability whether containers can be observed on this machine
   */
  public ProactiveReclaim(ReclaimSettings settings, Duration tick, Availability availability) {
    this.settings = settings;
    this.tick = tick;
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
    return Set.of(ReclaimableContainers.class);
  }

  @Override
  public Set<Limit> limits() {
    return Set.of(LIMIT);
  }

  @Override
  public Duration period() {
    return settings.period();
  }

  @Override
  public List<Action> decide(Snapshot seen) {
    ReclaimableContainers read = seen.get(ReclaimableContainers.class);
    List<Container> containers = rotated(read.containers());
    fences.keySet().retainAll(containers.stream().map(Container::id).toList());
    boolean calm = !read.lastKill().isWithin(CALM, seen.nanos());
    Map<Cause, Integer> causes = new EnumMap<>(Cause.class);
    List<Portion> portions = new ArrayList<>();
    long swap = swapBudget(read);
    for (Container container : containers) {
      Verdict verdict =
          fences
              .computeIfAbsent(container.id(), id -> new ReclaimGate(settings, tick))
              .judge(seen.nanos(), container);
      causes.merge(verdict.cause(), 1, Integer::sum);
      Optional<Portion> portion = portion(container, verdict.share(), swap);
      if (calm && portion.isPresent()) {
        portions.add(portion.get());
        swap -= portion.get().filesOnly() ? 0 : portion.get().bytes();
      }
    }
    last = Optional.of(new Decided(read, calm, causes));
    List<Action> actions = new ArrayList<>();
    action(Action.BEST_EFFORT, portions, false).ifPresent(actions::add);
    action(Action.PRODUCTION, portions, true).ifPresent(actions::add);
    return actions;
  }

  /** Rotates the containers, so that each in turn is first to get a share of the swap budget. */
  private List<Container> rotated(List<Container> all) {
    List<Container> sorted =
        new ArrayList<>(
            all.stream()
                .filter(
                    container ->
                        !container.production() || settings.production() != ReclaimScope.NONE)
                .sorted(Comparator.comparing(Container::id))
                .toList());
    if (!sorted.isEmpty()) {
      Collections.rotate(sorted, turn);
      turn = (turn + 1) % sorted.size();
    }
    return sorted;
  }

  private long swapBudget(ReclaimableContainers read) {
    boolean room =
        read.swapBytes() > 0
            && read.freeSwapBytes() >= read.swapBytes() / PERCENT * FREE_SWAP_PERCENT;
    return room
        ? (long) (settings.swapBytesPerSecond() * (settings.period().toNanos() / NANOS_PER_SECOND))
        : 0;
  }

  /** Limits a portion to half of the reclaimable memory: the kernel has to find cold pages. */
  private Optional<Portion> portion(Container container, double share, long swap) {
    boolean maySwap =
        swap >= PORTION_UNIT_BYTES
            && (!container.production() || settings.production() == ReclaimScope.ALL);
    double wanted =
        Math.min(
            (double) LARGEST_PORTION_BYTES,
            settings.percent() / PERCENT * container.bytes() * share);
    double bytes =
        maySwap
            ? Math.min(
                Math.min(wanted, (double) swap),
                (container.cleanBytes() + container.anonymousBytes()) / 2.0)
            : Math.min(wanted, container.cleanBytes() / 2.0);
    long whole = (long) bytes / PORTION_UNIT_BYTES * PORTION_UNIT_BYTES;
    return whole > 0
        ? Optional.of(new Portion(container.id(), container.production(), whole, !maySwap))
        : Optional.empty();
  }

  private Optional<Action> action(String side, List<Portion> all, boolean production) {
    List<Portion> portions =
        all.stream().filter(portion -> portion.production() == production).toList();
    if (portions.isEmpty()) {
      return Optional.empty();
    }
    long sum = portions.stream().mapToLong(Portion::bytes).sum();
    Map<String, Double> inputs = new LinkedHashMap<>();
    inputs.put("containers", (double) portions.size());
    portions.stream()
        .sorted(Comparator.comparingLong(Portion::bytes).reversed())
        .limit(NAMED)
        .forEach(portion -> inputs.put(portion.containerId(), (double) portion.bytes()));
    return Optional.of(
        new Action.ReclaimCold(
            LIMIT,
            side,
            portions,
            new Basis(
                "the containers' working sets",
                inputs,
                (double) sum,
                "COLD",
                String.format(
                    Locale.ROOT,
                    "%.1f MiB of %d containers, at most %s %% of each one's memory, because they neither wait for memory nor refault it",
                    (double) sum / MEBIBYTE,
                    portions.size(),
                    settings.percent()))));
  }

  @Override
  public MechanismReport report() {
    Optional<Decided> decided = last;
    return new MechanismReport(
        "time that containers wait, and memory that they refault",
        Optional.empty(),
        List.of(
            Quantity.of(
                TAKEN,
                "bytes",
                decided.map(
                    known ->
                        known.seen().containers().stream()
                            .mapToLong(Container::takenBytes)
                            .sum()))),
        decided
            .map(Decided::causes)
            .filter(causes -> !causes.isEmpty())
            .map(ProactiveReclaim::text),
        decided.map(
            known ->
                known.calm()
                    ? "a little memory is reclaimed from containers that do not need it"
                    : "a container was killed within the last minute: nothing is reclaimed"));
  }

  private static String text(Map<Cause, Integer> causes) {
    return causes.entrySet().stream()
        .map(entry -> entry.getValue() + " " + entry.getKey().text())
        .collect(Collectors.joining(", "));
  }
}
