/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.ProcfsBasedProcessTree;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;
import org.apache.hadoop.yarn.util.SystemClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
class CgroupProcessTreeTest {
  private static final long PAGE = ProcfsBasedProcessTree.PAGE_SIZE;
  private static final long JIFFY_MILLIS = ProcfsBasedProcessTree.JIFFY_LENGTH_IN_MILLIS;

  @TempDir private Path proc;
  private final Set<Long> members = new TreeSet<>();
  private boolean hasCgroup = true;
  private final AtomicLong nowMillis = new AtomicLong(1_000);

  private CgroupProcessTree tree() {
    return new CgroupProcessTree(
        "100",
        proc,
        first -> hasCgroup ? Optional.of(Set.copyOf(members)) : Optional.empty(),
        nowMillis::get);
  }

  /** Writes a process in the kernel's format; its name is as malicious as a job can make it. */
  private void process(long pid, long parent, long jiffies, long virtualBytes, long pages)
      throws IOException {
    Files.writeString(
        Files.createDirectories(proc.resolve(Long.toString(pid))).resolve("stat"),
        "%d (a) b (%d) S %d 100 100 0 -1 4194560 0 0 0 0 %d %d 0 0 20 0 1 0 9 %d %d%s\n"
            .formatted(
                pid,
                pid,
                parent,
                jiffies / 2,
                jiffies - jiffies / 2,
                virtualBytes,
                pages,
                " 0".repeat(28)));
  }

  @Test
  void sumsOnlyProcessesInTheCgroup() throws Exception {
    process(100, 1, 10, 4_000, 2);
    process(101, 1, 20, 8_000, 3); // its parent has exited
    process(102, 100, 40, 9_000, 5); // a child in another cgroup
    members.addAll(Set.of(100L, 101L));
    CgroupProcessTree tree = tree();

    tree.updateProcessTree();

    assertThat(tree.getVirtualMemorySize()).isEqualTo(12_000);
    assertThat(tree.getRssMemorySize()).isEqualTo(5 * PAGE);
    assertThat(tree.getCumulativeCpuTime()).isEqualTo(30 * JIFFY_MILLIS);
    assertThat(tree.getCurrentProcessIDs()).containsExactlyInAnyOrder("100", "101");
    assertThat(tree.contains("101")).isTrue();
    assertThat(tree.contains("102")).isFalse();
  }

  @Test
  void aProcessIsOlderWithEachLookThatSeesIt() throws Exception {
    process(100, 1, 0, 1_000, 1);
    members.add(100L);
    CgroupProcessTree tree = tree();
    tree.updateProcessTree();

    assertThat(tree.getRssMemorySize(1)).isEqualTo(ResourceCalculatorProcessTree.UNAVAILABLE);

    process(101, 100, 0, 1_000, 7);
    members.add(101L);
    tree.updateProcessTree();

    assertThat(tree.getRssMemorySize(1)).isEqualTo(PAGE);
    assertThat(tree.getVirtualMemorySize(1)).isEqualTo(1_000);
    assertThat(tree.getRssMemorySize(0)).isEqualTo(8 * PAGE);
  }

  @Test
  void processorTimeOfEndedContainersStaysInTheSum() throws Exception {
    process(100, 1, 100, 1, 1);
    process(101, 100, 50, 1, 1);
    members.addAll(Set.of(100L, 101L));
    CgroupProcessTree tree = tree();
    tree.updateProcessTree();
    members.remove(101L);
    process(100, 1, 130, 1, 1);

    tree.updateProcessTree();

    assertThat(tree.getCumulativeCpuTime()).isEqualTo(180 * JIFFY_MILLIS);
  }

  @Test
  void usageIsOfOneProcessor() throws Exception {
    process(100, 1, 0, 1, 1);
    members.add(100L);
    CgroupProcessTree tree = tree();
    tree.updateProcessTree();
    tree.getCpuUsagePercent();
    nowMillis.addAndGet(2_000);
    process(100, 1, 3_000 / JIFFY_MILLIS, 1, 1);

    tree.updateProcessTree();

    assertThat(tree.getCpuUsagePercent()).isEqualTo(150);
  }

  @Test
  void aProcessThatEndsMeanwhileAndOneThatCannotBeReadCountNothing() throws Exception {
    process(100, 1, 2, 1, 1);
    Files.writeString(Files.createDirectories(proc.resolve("101")).resolve("stat"), "101 (x) R\n");
    members.addAll(Set.of(100L, 101L, 102L));
    CgroupProcessTree tree = tree();

    tree.updateProcessTree();

    assertThat(tree.getRssMemorySize()).isEqualTo(PAGE);
  }

  @Test
  void withoutACgroupItIsYarnsTree() throws Exception {
    process(100, 1, 0, 1_000, 1);
    process(102, 100, 0, 2_000, 5);
    hasCgroup = false;
    CgroupProcessTree tree = tree();
    ProcfsBasedProcessTree yarns =
        new ProcfsBasedProcessTree("100", proc.toString(), SystemClock.getInstance());

    tree.updateProcessTree();
    yarns.updateProcessTree();

    assertThat(tree.getRssMemorySize()).isEqualTo(yarns.getRssMemorySize()).isEqualTo(6 * PAGE);
    assertThat(tree.getVirtualMemorySize()).isEqualTo(yarns.getVirtualMemorySize());
    assertThat(tree.getCurrentProcessIDs()).containsAll(yarns.getCurrentProcessIDs());
  }

  @Test
  void itMayBeMovedIntoItsCgroupAfterTheFirstLook() throws Exception {
    process(100, 1, 0, 1_000, 1);
    hasCgroup = false;
    CgroupProcessTree tree = tree();
    tree.updateProcessTree();
    hasCgroup = true;
    members.add(100L);

    tree.updateProcessTree();

    assertThat(tree.getRssMemorySize()).isEqualTo(PAGE);
  }

  @Test
  void memoryFromSmapsIsYarnsToRead() throws Exception {
    process(100, 1, 0, 1_000, 1);
    process(101, 7, 0, 1_000, 1); // has no parent, so YARN does not find it
    members.addAll(Set.of(100L, 101L));
    CgroupProcessTree tree = tree();
    Configuration configuration = new Configuration(false);
    configuration.setBoolean(YarnConfiguration.PROCFS_USE_SMAPS_BASED_RSS_ENABLED, true);
    tree.setConf(configuration);

    tree.updateProcessTree();

    assertThat(tree.getCurrentProcessIDs()).containsExactly("100");
  }

  /** Both trees report the same for a real process. */
  @Test
  void agreesWithYarnsTreeOnARealProcess() throws Exception {
    Process real = new ProcessBuilder("sleep", "60").start();
    try {
      String pid = Long.toString(real.pid());
      CgroupProcessTree tree =
          new CgroupProcessTree(
              pid, Path.of("/proc"), first -> Optional.of(Set.of(first)), nowMillis::get);
      ProcfsBasedProcessTree yarns = new ProcfsBasedProcessTree(pid);
      // Memory differs until the program has replaced the fork of this process.
      while (!Files.readString(Path.of("/proc", pid, "comm")).equals("sleep\n")) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      long before;
      do {
        yarns.updateProcessTree();
        before = yarns.getRssMemorySize();
        tree.updateProcessTree();
        yarns.updateProcessTree();
      } while (before != yarns.getRssMemorySize());

      assertThat(tree.getRssMemorySize()).isEqualTo(before);
      assertThat(tree.getVirtualMemorySize()).isEqualTo(yarns.getVirtualMemorySize());
      assertThat(tree.checkPidPgrpidForMatch()).isEqualTo(yarns.checkPidPgrpidForMatch());
    } finally {
      real.destroyForcibly();
    }
  }

  @Test
  void yarnCanMakeOne() {
    assertThat(
            ResourceCalculatorProcessTree.getResourceCalculatorProcessTree(
                Long.toString(ProcessHandle.current().pid()),
                CgroupProcessTree.class,
                new Configuration(false)))
        .isInstanceOf(CgroupProcessTree.class);
  }
}
