/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.Limit;
import io.charon.nodemanager.cgroup.CgroupThreads;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.FakeMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests with the files that the kernel documents for resctrl: two caches of 11 ways, of which a
 * group has at least 2; four cores, and three threads of best-effort.
 */
class CacheWaysTest {
  @TempDir private Path root;
  private FakeMachine machine;
  private CacheWays cacheWays;

  @BeforeEach
  void resctrl() {
    machine =
        new FakeMachine(root)
            .file("resctrl/info/L3/cbm_mask", "7ff\n")
            .file("resctrl/info/L3/min_cbm_bits", "2\n")
            .file("resctrl/info/last_cmd_status", "ok\n")
            .file("resctrl/schemata", "    L3:0=7ff;1=7ff\n")
            .file("resctrl/tasks", "")
            .file("resctrl/charon/schemata", "    MB:0=100;1=100\n    L3:0=7ff;1=7ff\n")
            .file("resctrl/charon/tasks", "");
    cacheWays(CgroupVersion.V2);
  }

  private void cacheWays(CgroupVersion version) {
    String threads = version == CgroupVersion.V1 ? "tasks" : "cgroup.threads";
    machine
        .file("best-effort/" + threads, "")
        .file("best-effort/c_1/" + threads, "70\n71\n")
        .file("best-effort/c_2/" + threads, "0\n")
        .file("best-effort/c_2/nested/" + threads, "72\n")
        .file("proc/70/stat", "")
        .file("proc/71/stat", "")
        .file("proc/72/stat", "");
    cacheWays = cacheWays("resctrl/charon", version);
  }

  private CacheWays cacheWays(String name, CgroupVersion version) {
    ResctrlGroup group = new ResctrlGroup(machine.path(name));
    return new CacheWays(
        group,
        new GroupThreads(
            group,
            new CgroupThreads(machine.path("best-effort"), version),
            machine.path("proc"),
            new RunningIds(Set::of, Set::of)));
  }

  private static Action.SetLimit limit(double cores, double capacity) {
    return new Action.SetLimit(
        Limit.CACHE_WAYS,
        capacity,
        Optional.empty(),
        Change.KEEP,
        true,
        new Basis("a test", Map.of(), cores, "a rule", "a reason"));
  }

  private String schemata() throws IOException {
    return machine.read("resctrl/charon/schemata");
  }

  /** Of 11 ways, best-effort gets max(2, floor(11 * limit / 4)). */
  @ParameterizedTest
  @CsvSource({
    "0, 4, 3, 2",
    "0.1, 4, 3, 2",
    "0.73, 4, 3, 2",
    "1.1, 4, 7, 3",
    "2, 4, 1f, 5",
    "3.99, 4, 3ff, 10",
    "4, 4, 7ff, 11",
    "9, 4, 7ff, 11",
    "0, 0, 3, 2"
  })
  void theLimitIsAShareOfTheWays(double cores, double capacity, String mask, int ways)
      throws IOException {
    assertThat(cacheWays.apply(limit(cores, capacity)))
        .isEqualTo("L3:0=%s;1=%1$s, %d of 11 ways, 3 threads moved".formatted(mask, ways));
    if (ways < 11) {
      assertThat(schemata()).isEqualTo("L3:0=" + mask + ";1=" + mask);
    }
  }

  @ParameterizedTest
  @EnumSource
  void newThreadsAreMovedAtEachTurnAndAllGoBackAtTheEnd(CgroupVersion version) throws IOException {
    cacheWays(version);
    assertThat(cacheWays.unavailable()).isEmpty();
    cacheWays.apply(limit(1, 4));
    assertThat(machine.read("resctrl/charon/tasks"))
        .as("0 would be this process")
        .isEqualTo("70\n71\n72");

    String threads = version == CgroupVersion.V1 ? "tasks" : "cgroup.threads";
    machine.file("best-effort/c_1/" + threads, "70\n71\n73\n").file("proc/73/stat", "");
    assertThat(cacheWays.apply(limit(1, 4))).endsWith(", 1 threads moved");
    assertThat(machine.read("resctrl/charon/tasks")).isEqualTo("70\n71\n72\n73");

    cacheWays.undo();
    assertThat(schemata()).isEqualTo("L3:0=7ff;1=7ff");
    assertThat(machine.read("resctrl/tasks")).isEqualTo("70\n71\n72\n73");
  }

  @Test
  void whatHoldsIsNotWrittenAgain() throws IOException {
    String before = schemata();
    cacheWays.apply(limit(4, 4));
    assertThat(schemata()).as("with its other lines").isEqualTo(before);
  }

  @Test
  void whereThereIsNoGroupNothingIsUndone() throws IOException {
    cacheWays("resctrl/none", CgroupVersion.V2).undo();
    assertThat(machine.path("resctrl/none")).doesNotExist();
  }

  @Test
  void whatIsMissingIsSaidWithItsCure() throws IOException {
    assertThat(new ResctrlGroup(Path.of("/")).unavailable()).isPresent();
    assertThat(new ResctrlGroup(machine.path("resctrl/other")).unavailable().orElseThrow())
        .contains("mkdir " + machine.path("resctrl/other"));
    Files.delete(machine.path("resctrl/tasks"));
    assertThat(cacheWays.unavailable().orElseThrow())
        .contains("resctrl/tasks cannot be written: as root, chown");
    machine.file("resctrl/info/L3CODE/cbm_mask", "7ff\n");
    assertThat(cacheWays.unavailable().orElseThrow()).contains("mount it without");
    Files.delete(machine.path("resctrl/info/L3CODE/cbm_mask"));
    Files.delete(machine.path("resctrl/info/L3CODE"));
    Files.delete(machine.path("resctrl/info/L3/cbm_mask"));
    assertThat(cacheWays.unavailable().orElseThrow())
        .contains("cat_l3 in /proc/cpuinfo")
        .contains("mount -t resctrl resctrl /sys/fs/resctrl");
  }

  @Test
  void everyFileThatFailsIsNamedAndTheNextTurnTriesAgain() throws IOException {
    for (String name :
        List.of(
            "resctrl/info/L3/cbm_mask",
            "resctrl/info/L3/min_cbm_bits",
            "resctrl/charon/schemata",
            "resctrl/charon/tasks",
            "best-effort/c_1/cgroup.threads")) {
      Path file = machine.path(name);
      String content = Files.readString(file);
      for (String fault : List.of("missing", "garbage", "a directory")) {
        Files.delete(file);
        if (fault.equals("garbage")) {
          Files.writeString(file, "L3:0=x;9\n");
        } else if (fault.equals("a directory")) {
          Files.createDirectory(file);
        }
        if (!name.startsWith("best-effort") || !fault.equals("missing")) {
          assertThatThrownBy(() -> cacheWays.apply(limit(1, 4)))
              .as("%s is %s", name, fault)
              .isInstanceOf(IOException.class)
              .hasMessageContaining(file.toString());
        }
        Files.deleteIfExists(file);
        Files.writeString(file, content);
        assertThat(cacheWays.apply(limit(1, 4))).contains("2 of 11 ways");
        cacheWays.undo();
        machine.file("resctrl/charon/tasks", "");
      }
    }
  }

  @Test
  void whatTheKernelSaysOfARefusalIsPassedOn() throws IOException {
    cacheWays.apply(limit(1, 4));
    machine.file("resctrl/info/last_cmd_status", "No permission to move task 70\n");
    Path tasks = machine.path("resctrl/tasks");
    Files.delete(tasks);
    Files.createDirectory(tasks);
    assertThatThrownBy(() -> cacheWays.undo())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot write 70 into " + tasks)
        .hasMessageContaining("resctrl says: No permission to move task 70")
        .hasMessageContaining("to remove the limit, remove the group's directory as root");
    assertThat(schemata()).as("the ways are back in any case").isEqualTo("L3:0=7ff;1=7ff");
  }

  @Test
  void aThreadThatEndsMeanwhileIsNoMatter() throws IOException {
    // Writing the id of an exited thread fails with ESRCH; here all writes fail.
    Path tasks = machine.path("resctrl/charon/tasks");
    cacheWays.apply(limit(1, 4));
    machine.file("best-effort/c_1/cgroup.threads", "70\n71\n99\n");
    cacheWays.apply(limit(1, 4));
    Path all = machine.path("resctrl/tasks");
    Files.delete(all);
    Files.createDirectory(all);
    Files.writeString(tasks, "99\n");
    cacheWays.undo();
  }

  @Test
  void masksWithGapsAndForeignSchemataAreRefused() {
    machine.file("resctrl/info/L3/cbm_mask", "f0f\n");
    assertThatThrownBy(() -> cacheWays.apply(limit(1, 4))).hasMessageContaining("has gaps");
    machine.file("resctrl/info/L3/cbm_mask", "7ff\n").file("resctrl/charon/schemata", "MB:0=9\n");
    assertThatThrownBy(() -> cacheWays.apply(limit(1, 4))).hasMessageContaining("no line L3:");
  }
}
