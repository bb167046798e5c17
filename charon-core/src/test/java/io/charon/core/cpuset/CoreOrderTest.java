/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.cpuset.Topology.PhysicalCore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A machine with two NUMA nodes, with two last-level caches each, with two physical cores each,
 * with two threads each: the cores 0 to 7 have the threads 0 to 7 and 8 to 15.
 */
class CoreOrderTest {
  private static final Cores ALL = Cores.parse("0-15");
  private static final Topology MACHINE =
      new Topology(
          List.of(
              core(0, "0-1,8-9", 0),
              core(1, "0-1,8-9", 0),
              core(2, "2-3,10-11", 0),
              core(3, "2-3,10-11", 0),
              core(4, "4-5,12-13", 1),
              core(5, "4-5,12-13", 1),
              core(6, "6-7,14-15", 1),
              core(7, "6-7,14-15", 1)));

  private static PhysicalCore core(int number, String cache, int node) {
    return new PhysicalCore(Cores.of(List.of(number, number + 8)), Cores.parse(cache), node);
  }

  private static String choose(
      CorePlacement placement, String pinned, String held, int least, int most) {
    return new CoreOrder(MACHINE, placement, Map.of())
        .choose(ALL, ALL.minus(Cores.parse(pinned)), Cores.parse(held), least, most)
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // most, held, pinned: chosen
        "4; '';     '';       '0,4,8,12'",
        "5; '';     '';       '0,4,8,12'", // rounded down
        "8; '';     '';       '0-1,4-5,8-9,12-13'",
        "16; '';    '';       '0-15'",
        "4; '1,9';  '';       '1,4,9,12'", // held cores stay, the other node is next
        "4; '4-7,12-15'; '';  '4-5,12-13'",
        "4; '0-1,4,8-9,12'; ''; '0,4,8,12'", // after giving cores up, both nodes have equally many
        "4; '';     '0,4';    '1,5,9,13'", // half-free cores are not chosen
        "14; '';    '0,4';    '1-3,5-15'", // unless no whole one is left
        "6; '8';    '0-1,4-7'; '2-3,8,10-12'", // of these the held ones, then the other node
        "1; '';     '';       '0,8'", // the minimum, rounded up to a core
        "1; '';     '0';      '1,9'",
        "1; '';     '0-7';    '8'", // there is no whole core
        "1; '3';    '0-15';   '3'" // nothing is free
      },
      delimiter = ';')
  void spreadGoesRoundTheNodes(int most, String held, String pinned, String chosen) {
    assertThat(choose(CorePlacement.SPREAD, pinned, held, 1, most)).isEqualTo(chosen);
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "4; '';        '';    '0-1,8-9'",
        "6; '';        '';    '0-2,8-10'",
        "4; '6,14';    '';    '6-7,14-15'", // the cache of the held cores is filled first
        "8; '6,14';    '';    '0-1,6-9,14-15'",
        "4; '';        '0,4'; '2-3,10-11'", // the first cache with two whole cores
        "4; '0,2-3,8,10-11'; ''; '2-3,10-11'" // it leaves the cache of which it has fewer cores
      },
      delimiter = ';')
  void packFillsOneCacheFirst(int most, String held, String pinned, String chosen) {
    assertThat(choose(CorePlacement.PACK, pinned, held, 1, most)).isEqualTo(chosen);
  }

  @Test
  void theIdlestCoreOfAPlaceComesFirstByAllItsThreads() {
    Map<Integer, Double> busy = Map.of(0, 0.1, 8, 0.9, 4, 0.5, 5, 0.4, 13, 0.04);
    assertThat(
            new CoreOrder(MACHINE, CorePlacement.SPREAD, busy)
                .choose(ALL, ALL, Cores.none(), 1, 4)
                .toString())
        .as("5 and 13 are busier than 6 and 14, 1 and 9 are idle")
        .isEqualTo("1,6,9,14");
  }

  @Test
  void aProcessorOfWhichNothingIsKnownIsACore() {
    Cores usable = Cores.parse("0,8,16-17");
    assertThat(
            new CoreOrder(MACHINE, CorePlacement.SPREAD, Map.of(16, 0.9))
                .choose(usable, usable, Cores.none(), 1, 3)
                .toString())
        .isEqualTo("0,8,17");
  }

  /** A thread on which best-effort may not run may be in use by others. */
  @Test
  void aCoreOfWhichOneThreadCannotBeHadIsHalfFree() {
    Cores usable = Cores.parse("0-15").minus(Cores.parse("8"));
    assertThat(
            new CoreOrder(MACHINE, CorePlacement.SPREAD, Map.of())
                .choose(usable, usable, Cores.none(), 1, 4)
                .toString())
        .isEqualTo("1,4,9,12");
  }

  @Test
  void aDescriptionSaysMoreThanTheNumber() {
    assertThat(MACHINE.describe(Cores.parse("0,8,2,10,6,14")))
        .hasValue("physical cores 3, last-level caches 3, NUMA nodes 2");
    Cores two = Cores.parse("0-1");
    Topology plain =
        new Topology(
            List.of(
                new PhysicalCore(Cores.parse("0"), two, 0),
                new PhysicalCore(Cores.parse("1"), two, 0)));
    assertThat(plain.describe(two)).isEmpty();
    assertThat(plain.processors()).isEqualTo(two);
    assertThat(plain.counts(two)).isEqualTo("physical cores 2, last-level caches 1, NUMA nodes 1");
    assertThat(Topology.unknown().describe(two)).isEmpty();
  }
}
