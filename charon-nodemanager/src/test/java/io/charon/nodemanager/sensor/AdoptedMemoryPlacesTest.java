/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.memorylimit.Holder;
import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.CharonSettings.MemoryBoundary;
import io.charon.nodemanager.config.MemoryLimitSettings;
import io.charon.nodemanager.config.MemoryLimitSettings.PageCachePolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdoptedMemoryPlacesTest {
  private static final long MB = 1L << 20;

  @TempDir private Path root;
  private final Map<String, Path> adopted = new HashMap<>();
  private FakeMachine machine;
  private CgroupLayout layout;
  private AdoptedMemoryPlaces places;

  @BeforeEach
  void prepare() throws IOException {
    machine =
        FakeMachine.v1(root).file("proc/meminfo", "MemTotal: 1048576 kB\nMemFree: 524288 kB\n");
    cgroup("/hadoop-yarn", 400, 0);
    layout = machine.detect("/hadoop-yarn");
    places = new AdoptedMemoryPlaces(layout, () -> adopted, () -> Set.of("b_1", "b_2", "b_3"));
  }

  @Test
  void bestEffortHoldsWhatItsContainersHoldTogether() throws IOException {
    adopt("b_1", "/hadoop-yarn/b_1", 30, 10);
    adopt("b_2", "/docker/b_2", 20, 4);
    adopt("p_1", "/hadoop-yarn/p_1", 100, 40);

    assertThat(places.bestEffort()).isEqualTo(new CgroupUse(50 * MB, 2 * MB, 14 * MB, 0, 0));
    assertThat(places.bestEffortRuns()).isTrue();
    assertThat(places.production("p_1")).contains(adopted.get("p_1"));
    assertThat(places.production("p_2")).as("not adopted").isEmpty();
    assertThat(places.isContainers(adopted.get("b_2").resolve("nested"))).isTrue();
    assertThat(places.isContainers(root.resolve("cgroup/memory/db.slice"))).isFalse();
  }

  @Test
  void oneThatHasGoneHoldsNothing() throws IOException {
    adopted.put("b_1", root.resolve("cgroup/memory/hadoop-yarn/b_1"));
    assertThat(places.bestEffort()).isEqualTo(CgroupUse.nothing());
  }

  @Test
  void oneThatCannotBeReadCountsWithTheRestAndTheOthersAreStillRead() throws IOException {
    adopt("b_1", "/hadoop-yarn/b_1", 30, 10);
    adopt("b_2", "/hadoop-yarn/b_2", 20, 4);
    machine.file("cgroup/memory/hadoop-yarn/b_1/memory.stat", "nonsense\n");
    AdoptedMemorySensor sensor = new AdoptedMemorySensor(layout, () -> adopted);
    machine.file(
        "cgroup/memory/hadoop-yarn/b_2/memory.stat",
        """
        total_inactive_file 0
        total_active_file 0
        total_inactive_anon 7
        total_active_anon 0
        total_unevictable 0
        """);
    for (int tick = 0; tick < 2; tick++) {
      assertThat(places.bestEffort()).isEqualTo(new CgroupUse(20 * MB, 0, 0, 0, 0));
      assertThat(sensor.read()).containsExactly(Map.entry("b_2", WorkingSet.of(7)));
    }
  }

  @Test
  void theRestOfTheNodeIsWhatOthersHold() throws IOException {
    adopt("b_1", "/hadoop-yarn/b_1", 30, 10);
    adopt("p_1", "/hadoop-yarn/p_1", 100, 40);
    machine.file("cgroup/memory/hadoop-yarn/memory.limit_in_bytes", 500 * MB + "\n");
    MemoryHoldingSensor sensor =
        new MemoryHoldingSensor(
            places,
            NodeBoundary.of(MemoryBoundary.CGROUP, layout, root.resolve("proc")),
            () -> Map.of("p_1", 200 * MB),
            new MemoryLimitSettings(
                RegulatorMode.ENFORCE,
                PageCachePolicy.RESERVED,
                List.of(),
                5,
                OptionalInt.empty()));

    MemoryHolding seen = sensor.read(0);

    assertThat(seen.sample().boundaryBytes()).isEqualTo(500 * MB);
    assertThat(seen.sample().othersBytes()).isEqualTo(370 * MB);
    assertThat(seen.sample().holders())
        .containsExactly(new Holder("p_1", 101 * MB, MB, 40 * MB, 200 * MB));
    assertThat(seen.bestEffortRuns()).isTrue();
  }

  private void adopt(String id, String path, long use, long file) {
    cgroup(path, use, file);
    adopted.put(id, root.resolve("cgroup/memory" + path));
  }

  private void cgroup(String path, long use, long file) {
    machine
        .file("cgroup/memory" + path + "/memory.usage_in_bytes", use * MB + "\n")
        .file("cgroup/memory" + path + "/memory.limit_in_bytes", "9223372036854771712\n")
        .file(
            "cgroup/memory" + path + "/memory.stat",
            "total_inactive_file %d\ntotal_active_file 0\ntotal_swap 1048576\n"
                .formatted(file * MB));
  }
}
