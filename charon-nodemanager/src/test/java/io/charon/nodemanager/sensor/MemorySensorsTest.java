/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.mechanism.WorkingSet;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.sensor.ContainerMemorySensor.ContainerMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests every sensor on files with known content. */
class MemorySensorsTest {
  private static final String MEMINFO =
      "MemTotal:       1000 kB\nMemFree:  1 kB\nMemAvailable:    600 kB\nBuffers: 5 kB\n";
  private static final long KIB = 1024;

  /** Local counters, which must be ignored, then the hierarchical ones: 100 + 200 + 30 KiB. */
  private static final String V1_STAT =
      """
      cache 7
      rss 1
      inactive_anon 1
      active_anon 2
      unevictable 3
      hierarchical_memory_limit 409600
      total_inactive_anon 102400
      total_active_anon 204800
      total_inactive_file 999999
      total_active_file 999999
      total_unevictable 30720
      """;

  private static final String V2_STAT =
      """
      anon 9
      file 999999
      shmem 9
      inactive_anon 102400
      active_anon 204800
      inactive_file 999999
      active_file 999999
      unevictable 30720
      """;

  @TempDir private Path root;
  private FakeMachine machine;
  private MeminfoReader meminfo;

  @BeforeEach
  void setUp() {
    machine = new FakeMachine(root).file("proc/meminfo", MEMINFO);
    meminfo = new MeminfoReader(root.resolve("proc"));
  }

  @AfterEach
  void tearDown() throws IOException {
    meminfo.close();
  }

  /** Creates the node's cgroup below one with a larger limit. */
  private CgroupMemorySensor cgroup(CgroupVersion version, String limit, long usageBytes) {
    boolean v1 = version == CgroupVersion.V1;
    String limitName = v1 ? "memory.limit_in_bytes" : "memory.max";
    machine
        .file("mem/" + limitName, v1 ? "9223372036854771712\n" : "max\n")
        .file("mem/node/" + limitName, limit + "\n")
        .file("mem/node/" + (v1 ? "memory.usage_in_bytes" : "memory.current"), usageBytes + "\n")
        .file("mem/node/memory.stat", v1 ? V1_STAT : V2_STAT);
    return new CgroupMemorySensor(root.resolve("mem/node"), version, meminfo);
  }

  @Test
  void hostIsMeminfoAndIsReadAfresh() throws IOException {
    NodeMemorySensor sensor = meminfo;
    assertThat(sensor.read()).isEqualTo(new NodeMemory(1000 * KIB, 600 * KIB));
    assertThat(sensor.availableAtLeast(600 * KIB)).isTrue();
    assertThat(sensor.availableAtLeast(600 * KIB + 1)).isFalse();

    machine.file("proc/meminfo", MEMINFO.replace(" 600", "   9"));
    assertThat(sensor.read().availableBytes()).isEqualTo(9 * KIB);
  }

  @ParameterizedTest
  @ValueSource(strings = {"MemTotal", "MemAvailable"})
  void missingMeminfoFieldIsNamed(String field) {
    machine.file("proc/meminfo", MEMINFO.replace(field + ":", field + "X:"));

    assertThatThrownBy(meminfo::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(field)
        .hasMessageContaining(root.resolve("proc/meminfo").toString());
  }

  @Test
  void missingMeminfoIsNamedAndReadAgainWhenItIsBack() throws IOException {
    Files.delete(root.resolve("proc/meminfo"));
    assertThatThrownBy(meminfo::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(root.resolve("proc/meminfo").toString());

    machine.file("proc/meminfo", MEMINFO);
    assertThat(meminfo.read().capacityBytes()).isEqualTo(1000 * KIB);
  }

  @Test
  void meminfoMayBeLongerThanTheBuffer() throws IOException {
    machine.file("proc/meminfo", "Filler: 1 kB\n".repeat(5000) + MEMINFO);

    assertThat(meminfo.read()).isEqualTo(new NodeMemory(1000 * KIB, 600 * KIB));
  }

  @ParameterizedTest
  @EnumSource(CgroupVersion.class)
  void cgroupHasItsLimitMinusTheWorkingSetWithoutPageCache(CgroupVersion version)
      throws IOException {
    try (CgroupMemorySensor sensor = cgroup(version, "409600", 409600)) {
      assertThat(sensor.read()).isEqualTo(new NodeMemory(400 * KIB, 70 * KIB));
    }
  }

  @ParameterizedTest
  @CsvSource({"V1,9223372036854771712", "V2,max"})
  void withoutLimitTheHostBounds(CgroupVersion version, String limit) throws IOException {
    machine.file("proc/meminfo", MEMINFO.replace(" 600", " 500"));
    try (CgroupMemorySensor sensor = cgroup(version, limit, 0)) {
      assertThat(sensor.read()).isEqualTo(new NodeMemory(1000 * KIB, 500 * KIB));
      assertThat(sensor.availableAtLeast(500 * KIB + 1)).isFalse();
    }
  }

  /** What runs beside the node below the same limit uses up the same memory. */
  @ParameterizedTest
  @CsvSource({
    "V1,memory.limit_in_bytes,memory.usage_in_bytes",
    "V2,memory.max,memory.current",
  })
  void aSmallerLimitAboveCountsWithAllThatUsesIt(
      CgroupVersion version, String limitName, String usageName) throws IOException {
    try (CgroupMemorySensor sensor = cgroup(version, "409600", 0)) {
      machine
          .file(
              "mem/memory.stat",
              (version == CgroupVersion.V1 ? V1_STAT : V2_STAT)
                  .replace("active_anon 204800", "active_anon 215040"))
          .file("mem/" + usageName, 350 * KIB + "\n")
          .file("mem/" + limitName, "358400\n");
      assertThat(sensor.read()).isEqualTo(new NodeMemory(350 * KIB, 10 * KIB));
      assertThat(sensor.availableAtLeast(10 * KIB)).isTrue();
      assertThat(sensor.availableAtLeast(10 * KIB + 1)).isFalse();

      machine.file("mem/node/" + limitName, "348160\n");
      assertThat(sensor.read()).isEqualTo(new NodeMemory(340 * KIB, 10 * KIB));
    }
  }

  @ParameterizedTest
  @EnumSource(CgroupVersion.class)
  void availableIsNeverNegative(CgroupVersion version) throws IOException {
    try (CgroupMemorySensor sensor = cgroup(version, "204800", 204800)) {
      assertThat(sensor.read()).isEqualTo(new NodeMemory(200 * KIB, 0));
    }
  }

  @ParameterizedTest
  @EnumSource(CgroupVersion.class)
  void fewChargesAnswerWithoutMemoryStat(CgroupVersion version) throws IOException {
    try (CgroupMemorySensor sensor = cgroup(version, "409600", 350 * KIB)) {
      Files.delete(root.resolve("mem/node/memory.stat"));
      assertThat(sensor.availableAtLeast(50 * KIB)).isTrue();
      assertThatThrownBy(() -> sensor.availableAtLeast(50 * KIB + 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("memory.stat");
    }
  }

  @ParameterizedTest
  @EnumSource(CgroupVersion.class)
  void anAmountMayDependOnTheCapacityOfTheSameReading(CgroupVersion version) throws IOException {
    try (CgroupMemorySensor sensor = cgroup(version, "409600", 350 * KIB)) {
      Files.delete(root.resolve("mem/node/memory.stat"));
      assertThat(sensor.availableAtLeast(capacity -> capacity / 8)).isTrue();
      machine.file("proc/meminfo", MEMINFO.replace(" 600", "  49"));
      assertThat(sensor.availableAtLeast(capacity -> capacity / 8)).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(CgroupVersion.class)
  void aCgroupFullOfPageCacheIsAnsweredByMemoryStat(CgroupVersion version) throws IOException {
    try (CgroupMemorySensor sensor = cgroup(version, "409600", 409600)) {
      assertThat(sensor.availableAtLeast(70 * KIB)).isTrue();
      assertThat(sensor.availableAtLeast(70 * KIB + 1)).isFalse();
    }
  }

  @Test
  void limitThatIsNoNumberIsNamed() throws IOException {
    try (CgroupMemorySensor sensor = cgroup(CgroupVersion.V1, "much", 0)) {
      assertThatThrownBy(sensor::read)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("memory.limit_in_bytes")
          .hasMessageContaining("much");
    }
  }

  @Test
  void containersOfBothClassesAreRead() throws IOException {
    FakeMachine v2 =
        FakeMachine.v2(root)
            .file("cgroup/charon/production/c_1/memory.stat", V2_STAT)
            .file("cgroup/charon/best-effort/c_2/memory.stat", V2_STAT)
            .file("cgroup/charon/best-effort/foreign.slice/memory.stat", "nothing\n");

    assertThat(new ContainerMemorySensor(v2.detect("/charon")).read())
        .containsOnly(
            Map.entry(
                "c_1",
                new ContainerMemory(
                    "c_1", ContainerClass.PRODUCTION, new WorkingSet(330 * KIB, 9, 9))),
            Map.entry(
                "c_2",
                new ContainerMemory(
                    "c_2", ContainerClass.BEST_EFFORT, new WorkingSet(330 * KIB, 9, 9))));
  }

  @Test
  void withoutNodeCgroupThereAreNoContainers() throws IOException {
    assertThat(new ContainerMemorySensor(FakeMachine.v1(root).detect("/charon")).read()).isEmpty();
  }

  @Test
  void containerStatWithoutFieldsIsNamed() throws IOException {
    FakeMachine v1 =
        FakeMachine.v1(root).file("cgroup/memory/charon/production/c_1/memory.stat", V2_STAT);
    CgroupLayout layout = v1.detect("/charon");
    Path cgroup = layout.containerDirectory(layout.memory(), ContainerClass.PRODUCTION, "c_1");

    assertThatThrownBy(() -> ContainerMemorySensor.workingSet(cgroup, layout.version()).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("c_1")
        .hasMessageContaining("total_inactive_anon");
  }

  @Test
  void processTreesAreSummed() throws IOException {
    process(10, 1, 100, 5);
    process(11, 10, 200, 0);
    process(12, 11, 300, 7);
    process(20, 1, 1000, 0);
    machine.file("proc/30/status", "Name:\tkthread\nPPid:\t2\n");
    machine.file("proc/31/other", "a process that is just ending has no status\n");
    machine.file("proc/sys/status", "no process\n");

    assertThat(
            new ProcessTreeMemorySensor(root.resolve("proc"))
                .read(Map.of("a", 10L, "b", 20L, "c", 30L, "gone", 99L)))
        .containsOnly(Map.entry("a", 612 * KIB), Map.entry("b", 1000 * KIB), Map.entry("c", 0L));
  }

  @Test
  void parentsThatFormALoopEnd() throws IOException {
    process(10, 11, 1, 0);
    process(11, 10, 2, 0);

    assertThat(new ProcessTreeMemorySensor(root.resolve("proc")).read(Map.of("a", 10L)))
        .containsOnly(Map.entry("a", 3 * KIB));
  }

  private void process(int pid, int parent, int anonymousKib, int sharedKib) {
    machine.file(
        "proc/" + pid + "/status",
        """
        Name:\tjava
        Pid:\t%d
        PPid:\t%d
        VmLck:\t 9 kB
        RssAnon:\t %d kB
        RssFile:\t 8 kB
        RssShmem:\t %d kB
        """
            .formatted(pid, parent, anonymousKib, sharedKib));
  }
}
