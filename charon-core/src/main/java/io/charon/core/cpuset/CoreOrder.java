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
 * Chooses processors for best-effort by whole physical cores, so that it shares none with
 * production while there is another one (ByteDance: neither logical nor physical cores are shared;
 * the order is ours, after koordinator's, which takes pairs of threads and goes round the NUMA
 * nodes). In this order:
 *
 * <ol>
 *   <li>cores of which all threads are free, before those of which some are, before what is not
 *       free;
 *   <li>of these such that it has already;
 *   <li>{@link CorePlacement#SPREAD}: those of the NUMA node on which it has the fewest processors
 *       so far; {@link CorePlacement#PACK}: those of the last-level cache of which it has the most,
 *       then of that which has most to give;
 *   <li>the idlest, to a tenth of a core;
 *   <li>the lowest.
 * </ol>
 *
 * <p>A core is taken with all its free threads or not at all, and none of which some threads are
 * free while one is left of which all are. Where nothing is known of the topology, a core is a
 * processor, and all are in one place.
 */
public final class CoreOrder {
  private static final double BUSY_STEPS = 10;

  private final Topology topology;
  private final CorePlacement placement;
  private final Map<Integer, Double> busy;

  /**
   * An order of the cores at one instant.
   *
   * @param topology what they share
   * @param placement where further ones are taken from
   * @param busy how busy each processor is, 0 to 1, by its number; 0 where it is not named
   */
  public CoreOrder(Topology topology, CorePlacement placement, Map<Integer, Double> busy) {
    this.topology = topology;
    this.placement = placement;
    this.busy = Map.copyOf(busy);
  }

  /** Threads that are taken together. */
  private record Unit(Cores threads, Cores cache, int node, long busy) {
    int lowest() {
      return threads.numbers().get(0);
    }

    static final Comparator<Unit> IDLEST_FIRST =
        Comparator.comparingLong(Unit::busy).thenComparingInt(Unit::lowest);
  }

  /** Units in one place, the idlest first, and how many processors of the place are chosen. */
  private static final class Place {
    final Deque<Unit> waiting = new ArrayDeque<>();
    int chosen;

    Unit next() {
      return waiting.element();
    }
  }

  /**
   * Chooses.
   *
   * @param usable the processors that there are
   * @param free those of them that nobody is pinned to
   * @param held what best-effort has
   * @param least how many it gets in any case, if there are as many: whole cores if such are free,
   *     and what is not free if need be
   * @param most how many it gets at most otherwise; not below the least
   */
  public Cores choose(Cores usable, Cores free, Cores held, int least, int most) {
    List<PhysicalCore> cores = topology.coresOf(usable);
    Predicate<PhysicalCore> whole = core -> free.containsAll(core.threads());
    Map<Object, Place> places = new LinkedHashMap<>();
    List<Unit> wholes = units(cores.stream().filter(whole).toList(), free);
    Cores chosen = take(wholes, held, places, Cores.none(), least, most);
    if (chosen.containsAll(threads(wholes))) {
      List<Unit> halves = units(cores.stream().filter(whole.negate()).toList(), free);
      chosen = take(halves, held, places, chosen, least, most);
    }
    List<Unit> others =
        usable.minus(free).numbers().stream()
            .map(number -> unit(Cores.of(List.of(number)), Cores.none(), 0))
            .toList();
    return take(others, held, new LinkedHashMap<>(), chosen, least, least);
  }

  private List<Unit> units(Collection<PhysicalCore> cores, Cores free) {
    return cores.stream()
        .filter(core -> !core.threads().within(free).isEmpty())
        .map(core -> unit(core.threads().within(free), core.cache(), core.node()))
        .toList();
  }

  private Unit unit(Cores threads, Cores cache, int node) {
    double all = 0;
    for (int number : threads.numbers()) {
      all += busy.getOrDefault(number, 0.0);
    }
    return new Unit(threads, cache, node, Math.round(all / threads.count() * BUSY_STEPS));
  }

  private static Cores threads(List<Unit> units) {
    return units.stream().map(Unit::threads).reduce(Cores.none(), Cores::with);
  }

  /** Takes what fits, what is held first; then the first of what does not, if that is too few. */
  private Cores take(
      List<Unit> units, Cores held, Map<Object, Place> places, Cores already, int least, int most) {
    Predicate<Unit> has = unit -> !unit.threads().within(held).isEmpty();
    List<Unit> ordered = new ArrayList<>();
    Cores chosen = already;
    for (Predicate<Unit> tier : List.of(has, has.negate())) {
      enqueue(units.stream().filter(tier).toList(), places);
      for (Optional<Place> next = next(places); next.isPresent(); next = next(places)) {
        Unit unit = next.get().waiting.remove();
        int number = unit.threads().count();
        if (chosen.count() + number <= most) {
          chosen = chosen.with(unit.threads());
          next.get().chosen += number;
        } else {
          ordered.add(unit);
        }
      }
    }
    for (Unit left : ordered) {
      chosen = chosen.count() < least ? chosen.with(left.threads()) : chosen;
    }
    return chosen;
  }

  private void enqueue(List<Unit> units, Map<Object, Place> places) {
    units.stream()
        .sorted(Unit.IDLEST_FIRST)
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
    return first.thenComparing(Place::next, Unit.IDLEST_FIRST);
  }
}
