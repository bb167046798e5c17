/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.cpuset.CoreOrder;
import io.charon.core.cpuset.CorePlacement;
import io.charon.core.cpuset.Cores;
import io.charon.core.cpuset.Topology;
import io.charon.core.cpuset.Topology.PhysicalCore;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the topology of several kinds of machines, and the cores that best-effort then gets. */
class TopologyReaderTest {
  @TempDir private Path root;
  private SysTree sys;
  private TopologyReader reader;

  @BeforeEach
  void open() {
    sys = new SysTree(root);
    reader = new TopologyReader(root);
  }

  private String chosen(CorePlacement placement, String usable, String pinned, int most) {
    Cores all = Cores.parse(usable);
    return new CoreOrder(reader.read(), placement, Map.of())
        .choose(all, all.minus(Cores.parse(pinned)), Cores.none(), 1, most)
        .toString();
  }

  @Test
  void twoPackagesOf32CoresOfTwoThreadsOnTwoNumaNodes() {
    sys.twoTimes32();
    Topology topology = reader.read();
    assertThat(topology.physicalCores()).hasSize(64);
    assertThat(topology.physicalCores().get(33))
        .isEqualTo(new PhysicalCore(Cores.parse("33,97"), Cores.parse("32-63,96-127"), 1));
    assertThat(chosen(CorePlacement.SPREAD, "0-127", "", 9)).isEqualTo("0-1,32-33,64-65,96-97");
    assertThat(chosen(CorePlacement.PACK, "0-127", "", 9)).isEqualTo("0-3,64-67");
    assertThat(chosen(CorePlacement.PACK, "0-127", "0-9", 9))
        .as("the other cache has more whole cores")
        .isEqualTo("32-35,96-99");
    assertThat(chosen(CorePlacement.SPREAD, "0-127", "64-126", 4))
        .as("one whole core is left, its node's halves come after the other's")
        .isEqualTo("0-1,63,127");
  }

  /** Like AMD's EPYC: one package and node, 64 cores with one thread, one cache per eight cores. */
  @Test
  void aProcessorOfEightLastLevelCaches() {
    sys.online("0-63").node(0, "0-63");
    for (int core = 0; core < 64; core++) {
      int first = core / 8 * 8;
      sys.core(Integer.toString(core), 0, 0, first + "-" + (first + 7));
    }
    assertThat(chosen(CorePlacement.PACK, "0-63", "0,8,16", 10)).isEqualTo("24-33");
    assertThat(chosen(CorePlacement.SPREAD, "0-63", "0,8,16", 3))
        .as("one node: the lowest")
        .isEqualTo("1-3");
    assertThat(reader.read().describe(Cores.parse("24-33")))
        .hasValue("physical cores 10, last-level caches 2, NUMA nodes 1");
  }

  /** Six cores with two threads, eight with one. */
  @Test
  void aHybridOne() {
    sys.online("0-19").node(0, "0-19");
    for (int core = 0; core < 6; core++) {
      sys.core(2 * core + "-" + (2 * core + 1), 0, 0, "0-19");
    }
    for (int core = 12; core < 20; core++) {
      sys.core(Integer.toString(core), 0, 0, "0-19");
    }
    assertThat(reader.read().physicalCores()).hasSize(14);
    assertThat(chosen(CorePlacement.SPREAD, "0-19", "", 5)).isEqualTo("0-3,12");
    assertThat(chosen(CorePlacement.SPREAD, "0-19", "0-11", 5)).isEqualTo("12-16");
    assertThat(chosen(CorePlacement.SPREAD, "0-19", "12-19", 5)).isEqualTo("0-3");
    assertThat(reader.read().maxThreadsPerCore(Cores.parse("12-19"))).isEqualTo(1);
  }

  /**
   * As Linux 6.12 reports it in QEMU with {@code -smp 8,sockets=2,cores=2,threads=2} and three NUMA
   * nodes, the last without processors.
   */
  @Test
  void anEmulatedMachineWithANodeThatHasMemoryOnly() {
    sys.online("0-7").node(0, "0-3").node(1, "4-7").node(2, "");
    sys.core("0-1", 0, 0, "0-3").core("2-3", 0, 0, "0-3");
    sys.core("4-5", 1, 1, "4-7").core("6-7", 1, 1, "4-7");
    assertThat(chosen(CorePlacement.SPREAD, "0-7", "", 4)).isEqualTo("0-1,4-5");
    assertThat(chosen(CorePlacement.PACK, "0-7", "", 4)).isEqualTo("0-3");
    assertThat(reader.read().describe(Cores.parse("0-1,4-5")))
        .hasValue("physical cores 2, last-level caches 2, NUMA nodes 2");
  }

  @Test
  void withoutAnyTopologyFileNothingIsKnown() {
    assertThat(reader.read()).isEqualTo(Topology.unknown());
    sys.online("0-3");
    assertThat(reader.read()).isEqualTo(Topology.unknown());
    assertThat(chosen(CorePlacement.SPREAD, "0-3", "0", 2)).isEqualTo("1-2");
  }

  @Test
  void whatIsMissingIsDoneWithout() {
    sys.online("0-3")
        .node(0, "") // memory only
        .file("node/nodes", "0")
        .core("0-1", 0, 0, "")
        .core("2-3", 1, 0, "garbage");
    assertThat(reader.read().physicalCores())
        .containsExactly(
            new PhysicalCore(Cores.parse("0-1"), Cores.parse("0-1"), 0),
            new PhysicalCore(Cores.parse("2-3"), Cores.parse("2-3"), 1));
  }

  @Test
  void olderKernelsNameThreadsOtherwise() {
    sys.online("0-2").file("cpu/cpu0/topology/thread_siblings_list", "0,2");
    assertThat(reader.read().physicalCores())
        .extracting(PhysicalCore::threads)
        .containsExactly(Cores.parse("0,2"), Cores.parse("1"));
  }

  @Test
  void itIsReadAnewOnlyWhenOthersAreOnline() {
    sys.online("0-3").core("0-1", 0, 0, "0-3").core("2-3", 0, 0, "0-3");
    assertThat(reader.read().physicalCores()).hasSize(2);
    sys.core("0", 0, 0, "0-3").core("1", 0, 0, "0-3");
    assertThat(reader.read().physicalCores()).as("the same are online").hasSize(2);
    sys.online("0-2"); // 3 went offline
    assertThat(reader.read().physicalCores())
        .extracting(PhysicalCore::threads)
        .containsExactly(Cores.parse("0"), Cores.parse("1"), Cores.parse("2"));
  }
}
