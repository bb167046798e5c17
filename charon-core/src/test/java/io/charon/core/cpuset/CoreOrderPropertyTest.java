/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.cpuset.Topology.PhysicalCore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Properties of every choice: 12 physical cores, some with two threads, in three caches. */
class CoreOrderPropertyTest {
  private static final int CORES = 12;

  private static Topology machine(Set<Integer> single) {
    List<PhysicalCore> cores = new ArrayList<>();
    for (int core = 0; core < CORES; core++) {
      Cores one = Cores.of(List.of(core));
      cores.add(
          new PhysicalCore(
              single.contains(core) ? one : one.with(Cores.of(List.of(core + CORES))),
              Cores.of(List.of(core / 4)),
              core / 6));
    }
    return new Topology(cores);
  }

  private static Cores all(Topology topology) {
    return topology.physicalCores().stream()
        .map(PhysicalCore::threads)
        .reduce(Cores.none(), Cores::with);
  }

  @Property
  void wholeCoresFirstAndNeverMoreThanTheMost(
      @ForAll Set<@IntRange(max = CORES - 1) Integer> single,
      @ForAll Set<@IntRange(max = 2 * CORES - 1) Integer> pinned,
      @ForAll Set<@IntRange(max = 2 * CORES - 1) Integer> had,
      @ForAll CorePlacement placement,
      @ForAll @IntRange(min = 1, max = 3) int least,
      @ForAll @IntRange(min = 3, max = 24) int most) {
    Topology topology = machine(single);
    Cores usable = all(topology);
    Cores free = usable.minus(Cores.of(pinned));
    Cores held = Cores.of(had).within(usable);
    Cores chosen =
        new CoreOrder(topology, placement, Map.of()).choose(usable, free, held, least, most);

    assertThat(usable.containsAll(chosen)).isTrue();
    assertThat(chosen.count()).isBetween(Math.min(least, usable.count()), most + 1);
    boolean wholeIsLeft = false;
    boolean halfIsTaken = false;
    for (PhysicalCore core : topology.physicalCores()) {
      Cores offered = core.threads().within(free);
      Cores taken = core.threads().within(chosen).within(free);
      assertThat(taken).isIn(offered, Cores.none());
      boolean whole = offered.equals(core.threads());
      wholeIsLeft |= whole && taken.isEmpty();
      halfIsTaken |= !whole && !taken.isEmpty();
    }
    assertThat(wholeIsLeft && halfIsTaken).isFalse();
    if (!free.containsAll(chosen)) {
      assertThat(chosen.count()).isEqualTo(least);
      assertThat(chosen.containsAll(free)).isTrue();
    }
  }

  @Property
  void allThatIsFreeIsTakenWhereThatIsAllowed(
      @ForAll Set<@IntRange(max = CORES - 1) Integer> single,
      @ForAll @Size(max = 20) Set<@IntRange(max = CORES - 1) Integer> pinned,
      @ForAll CorePlacement placement) {
    Topology topology = machine(single);
    Cores usable = all(topology);
    Cores free = usable.minus(Cores.of(pinned));
    assertThat(
            new CoreOrder(topology, placement, Map.of())
                .choose(usable, free, Cores.none(), 0, free.count()))
        .isEqualTo(free);
  }

  @Property
  void spreadLeavesNodesNoFurtherApartThanACore(
      @ForAll @IntRange(max = 24) int most, @ForAll @DoubleRange(max = 1) double busy) {
    Topology topology = machine(Set.of());
    Cores usable = all(topology);
    Cores chosen =
        new CoreOrder(topology, CorePlacement.SPREAD, Map.of(0, busy, 9, 1 - busy))
            .choose(usable, usable, Cores.none(), 0, most);
    int first = chosen.within(Cores.parse("0-5,12-17")).count();
    assertThat(Math.abs(2 * first - chosen.count())).isLessThanOrEqualTo(2);
  }

  /** The order without topology: held processors first, then the idlest, then the lowest. */
  @Property
  void withoutTopologyEachProcessorIsACore(
      @ForAll Set<@IntRange(max = 9) Integer> pinned,
      @ForAll Set<@IntRange(max = 9) Integer> had,
      @ForAll Map<@IntRange(max = 9) Integer, @DoubleRange(max = 1) Double> busy,
      @ForAll CorePlacement placement,
      @ForAll @IntRange(min = 1, max = 10) int most) {
    Cores usable = Cores.parse("0-9");
    Cores free = usable.minus(Cores.of(pinned));
    Cores held = Cores.of(had);
    List<Integer> expected = new ArrayList<>(usable.numbers());
    expected.sort(
        Comparator.<Integer>comparingInt(number -> pinned.contains(number) ? 1 : 0)
            .thenComparing(number -> had.contains(number) ? 0 : 1)
            .thenComparing(number -> Math.round(busy.getOrDefault(number, 0.0) * 10))
            .thenComparing(Comparator.naturalOrder()));
    assertThat(
            new CoreOrder(Topology.unknown(), placement, busy)
                .choose(usable, free, held, most, most))
        .isEqualTo(Cores.of(expected.subList(0, most)));
  }
}
