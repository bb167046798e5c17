/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

import io.charon.core.cpuset.Topology.PhysicalCore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Chooses processors for best-effort by whole physical cores, so that it shares no core with
 * production while another one is free. (ByteDance: best-effort and production share neither
 * logical nor physical cores. The order is our choice, modelled on koordinator, which assigns pairs
 * of threads and alternates between NUMA nodes.) The order is:
 *
 * <ol>
 *   <li>cores with all threads free, then cores with some threads free, then processors that are
 *       not free;
 *   <li>within each group, cores that best-effort already has;
 *   <li>{@link CorePlacement#SPREAD}: cores of the NUMA node on which best-effort has the fewest
 *       processors so far; {@link CorePlacement#PACK}: cores of the last-level cache of which it
 *       has the most, then of the one with the most candidates left;
 *   <li>the idlest cores, in steps of a tenth of a core;
 *   <li>the lowest numbers.
 * </ol>
 *
 * <p>A core is assigned with all its free threads or not at all. A core with some free threads is
 * assigned only if no core with all threads free is left. If the topology is unknown, each
 * processor counts as a core and all of them as neighbors.
 */
public final class CoreOrder {
  private static final double BUSY_STEPS = 10;

  private final Topology topology;
  private final CorePlacement placement;
  private final Map<Integer, Double> busy;

  /**
   * Creates an order of the cores at one instant.
   *
   * @param topology the hardware that the processors share
   * @param placement where further cores are chosen
   * @param busy the utilization of each processor, 0 to 1, by its number; 0 if it is not listed
   */
  public CoreOrder(Topology topology, CorePlacement placement, Map<Integer, Double> busy) {
    this.topology = topology;
    this.placement = placement;
    this.busy = Map.copyOf(busy);
  }

  /** Threads that are assigned together. */
  private record CoreThreads(Cores threads, Cores cache, int node, long busy) {
    int lowest() {
      return threads.numbers().get(0);
    }

    static final Comparator<CoreThreads> IDLEST_FIRST =
        Comparator.comparingLong(CoreThreads::busy).thenComparingInt(CoreThreads::lowest);
  }

  /** Remaining units of one cache or NUMA node, idlest first, and the number chosen so far. */
  private static final class Place {
    final Deque<CoreThreads> waiting = new ArrayDeque<>();
    int chosen;

    CoreThreads next() {
      return waiting.element();
    }
  }

  /**
   * Chooses the processors for best-effort.
   *
   * @param usable all processors that may be chosen
   * @param free the usable processors to which no other process is pinned
   * @param held the processors that best-effort has now
   * @param minCount the number it gets in any case if there are that many usable ones: whole cores
   *     if such are free, and processors that are not free if necessary
   * @param maxCount the maximum number otherwise; not below {@code minCount}
   */
  public Cores choose(Cores usable, Cores free, Cores held, int minCount, int maxCount) {
    List<PhysicalCore> cores = topology.coresOf(usable);
    Predicate<PhysicalCore> whole = core -> free.containsAll(core.threads());
    Map<Object, Place> places = new LinkedHashMap<>();
    List<CoreThreads> wholes = units(cores.stream().filter(whole).toList(), free);
    Cores chosen = take(wholes, held, places, Cores.none(), minCount, maxCount);
    if (chosen.containsAll(threads(wholes))) {
      List<CoreThreads> halves = units(cores.stream().filter(whole.negate()).toList(), free);
      chosen = take(halves, held, places, chosen, minCount, maxCount);
    }
    List<CoreThreads> others =
        usable.minus(free).numbers().stream()
            .map(number -> unit(Cores.of(List.of(number)), Cores.none(), 0))
            .toList();
    return take(others, held, new LinkedHashMap<>(), chosen, minCount, minCount);
  }

  private List<CoreThreads> units(Collection<PhysicalCore> cores, Cores free) {
    return cores.stream()
        .filter(core -> !core.threads().within(free).isEmpty())
        .map(core -> unit(core.threads().within(free), core.cache(), core.node()))
        .toList();
  }

  private CoreThreads unit(Cores threads, Cores cache, int node) {
    double all = 0;
    for (int number : threads.numbers()) {
      all += busy.getOrDefault(number, 0.0);
    }
    return new CoreThreads(threads, cache, node, Math.round(all / threads.count() * BUSY_STEPS));
  }

  private static Cores threads(List<CoreThreads> units) {
    return units.stream().map(CoreThreads::threads).reduce(Cores.none(), Cores::with);
  }

  /**
   * Adds the units that fit, those that are held first; if there are too few, adds the first of
   * those that do not fit.
   */
  private Cores take(
      List<CoreThreads> units,
      Cores held,
      Map<Object, Place> places,
      Cores already,
      int minCount,
      int maxCount) {
    Predicate<CoreThreads> has = unit -> !unit.threads().within(held).isEmpty();
    List<CoreThreads> ordered = new ArrayList<>();
    Cores chosen = already;
    for (Predicate<CoreThreads> tier : List.of(has, has.negate())) {
      enqueue(units.stream().filter(tier).toList(), places);
      for (Optional<Place> next = next(places); next.isPresent(); next = next(places)) {
        CoreThreads unit = next.get().waiting.remove();
        int number = unit.threads().count();
        if (chosen.count() + number <= maxCount) {
          chosen = chosen.with(unit.threads());
          next.get().chosen += number;
        } else {
          ordered.add(unit);
        }
      }
    }
    for (CoreThreads left : ordered) {
      chosen = chosen.count() < minCount ? chosen.with(left.threads()) : chosen;
    }
    return chosen;
  }

  private void enqueue(List<CoreThreads> units, Map<Object, Place> places) {
    units.stream()
        .sorted(CoreThreads.IDLEST_FIRST)
        .forEach(
            unit -> {
              Object where = placement == CorePlacement.SPREAD ? unit.node() : unit.cache();
              places.computeIfAbsent(where, key -> new Place()).waiting.add(unit);
            });
  }

  private Optional<Place> next(Map<Object, Place> places) {
    return places.values().stream().filter(place -> !place.waiting.isEmpty()).min(order());
  }

  private Comparator<Place> order() {
    Comparator<Place> first =
        placement == CorePlacement.SPREAD
            ? Comparator.comparingInt(place -> place.chosen)
            : Comparator.<Place>comparingInt(place -> -place.chosen)
                .thenComparingInt(place -> -place.waiting.size());
    return first.thenComparing(Place::next, CoreThreads.IDLEST_FIRST);
  }
}
