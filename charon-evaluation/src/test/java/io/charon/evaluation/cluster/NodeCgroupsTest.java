/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.machine.EndedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeCgroupsTest {
  @TempDir Path directory;

  @Test
  void limitsANodeOnVersion1() throws IOException {
    Path memory = Files.createDirectories(directory.resolve("memory"));
    Path cpu = Files.createDirectories(directory.resolve("cpu"));
    NodeCgroups cgroups = NodeCgroups.find(version1(cpu, memory)).orElseThrow();

    NodeCgroup node = cgroups.create("/demo/node1", 3L << 30);
    cgroups.setCpuWeight("/demo", 20);
    Path processes = Files.createFile(cpu.resolve("demo/cgroup.procs"));
    cgroups.moveProcess("/demo", 4711);

    assertThat(processes).hasContent("4711");
    assertThat(memory.resolve("demo/node1/memory.limit_in_bytes")).hasContent("3221225472");
    assertThat(cpu.resolve("demo/cpu.shares")).hasContent("20480");
    assertThat(node.version2()).isFalse();
  }

  @Test
  void handsControllersOnOnVersion2() throws IOException {
    Path mount = Files.createDirectories(directory.resolve("unified"));
    Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory pids\n");
    Files.writeString(mount.resolve("cgroup.subtree_control"), "cpu pids\n");
    NodeCgroups cgroups = NodeCgroups.find(mounts(unified(mount))).orElseThrow();

    NodeCgroup node = cgroups.create("/demo/node1", 3L << 30);
    cgroups.setCpuWeight("/demo", 20);

    assertThat(mount.resolve("cgroup.subtree_control")).hasContent("+memory");
    assertThat(mount.resolve("demo/node1/memory.max")).hasContent("3221225472");
    assertThat(mount.resolve("demo/cpu.weight")).hasContent("2000");
    assertThat(node.version2()).isTrue();
  }

  @Test
  void theWeightOfManyNodesIsTheHighestThatTheKernelAccepts() throws IOException {
    Path mount = Files.createDirectories(directory.resolve("unified"));
    Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory pids\n");
    Files.writeString(mount.resolve("cgroup.subtree_control"), "cpu pids\n");

    NodeCgroups.find(mounts(unified(mount))).orElseThrow().setCpuWeight("/demo", 1000);

    assertThat(mount.resolve("demo/cpu.weight")).hasContent("10000");
  }

  @Test
  void removesWhatKilledDemosLeftAndNothingElse() throws Exception {
    Path memory = Files.createDirectories(directory.resolve("memory"));
    Path cpu = Files.createDirectories(directory.resolve("cpu"));
    long ended = EndedProcess.id();
    Path left = Files.createDirectories(memory.resolve("charon-demo-" + ended + "/node1"));
    Path daemons = Files.createDirectory(cpu.resolve("charon-bench-" + ended + "-daemons"));
    Path busy = Files.createDirectories(cpu.resolve("charon-it-" + ended + "/node1"));
    Files.createFile(busy.resolve("what rmdir finds where something runs"));
    Path running =
        Files.createDirectory(memory.resolve("charon-demo-" + ProcessHandle.current().pid()));
    Path other = Files.createDirectory(memory.resolve("charon-demo-" + ended + "-mine"));

    NodeCgroups.find(version1(cpu, memory)).orElseThrow().removeLeftovers();

    assertThat(left.getParent()).doesNotExist();
    assertThat(daemons).doesNotExist();
    assertThat(List.of(busy, running, other)).allSatisfy(kept -> assertThat(kept).exists());
  }

  @Test
  void whatAKilledBenchmarkLeftRunningInItsCgroupEnds() throws Exception {
    Path memory = Files.createDirectories(directory.resolve("memory"));
    Path cpu = Files.createDirectories(directory.resolve("cpu"));
    Path left = memory.resolve("charon-bench-" + EndedProcess.id());
    Process process = runningIn(Files.createDirectories(left.resolve("node")));

    NodeCgroups.find(version1(cpu, memory)).orElseThrow().removeLeftovers();

    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(left).doesNotExist();
  }

  @Test
  @Tag("must-never")
  void whatRunsInACgroupOfARunningProcessOrOfSomeoneElseGoesOn() throws Exception {
    Path memory = Files.createDirectories(directory.resolve("memory"));
    Path cpu = Files.createDirectories(directory.resolve("cpu"));
    String own = "charon-bench-" + ProcessHandle.current().pid();
    String other = "charon-demo-" + EndedProcess.id() + "-mine";
    Process running = runningIn(Files.createDirectory(memory.resolve(own)));
    Process others = runningIn(Files.createDirectory(memory.resolve(other)));
    try {
      NodeCgroups.find(version1(cpu, memory)).orElseThrow().removeLeftovers();

      assertThat(running.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(others.isAlive()).isTrue();
    } finally {
      running.destroyForcibly();
      others.destroyForcibly();
    }
  }

  /** Starts a process whose end empties a directory that looks like its cgroup. */
  private static Process runningIn(Path cgroup) throws IOException {
    Process process = new ProcessBuilder("sleep", "60").start();
    Path list = Files.writeString(cgroup.resolve("cgroup.procs"), process.pid() + "\n");
    var unused = process.onExit().thenRun(() -> list.toFile().delete());
    return process;
  }

  @Test
  void isAbsentWithoutAMemoryController() throws IOException {
    Path mount = Files.createDirectories(directory.resolve("unified"));
    Files.writeString(mount.resolve("cgroup.controllers"), "pids\n");

    assertThat(NodeCgroups.find(mounts(unified(mount)))).isEmpty();
    assertThat(NodeCgroups.find(mounts("33 23 0:30 / /tmp rw - tmpfs tmpfs rw"))).isEmpty();
  }

  @Test
  void theWorkingSetLeavesOutFilePages() {
    String version1 =
        """
        cache 1000
        total_cache 9000
        total_inactive_anon 100
        total_active_anon 20
        total_inactive_file 7000
        total_unevictable 3
        inactive_anon 50
        """;
    String version2 = "anon 999\ninactive_anon 100\nactive_anon 20\nactive_file 7\nunevictable 3\n";

    assertThat(NodeCgroup.workingSet(version1, false)).isEqualTo(123);
    assertThat(NodeCgroup.workingSet(version2, true)).isEqualTo(123);
  }

  private Path version1(Path cpu, Path memory) throws IOException {
    return mounts(
        "31 23 0:28 / " + cpu + " rw - cgroup cgroup rw,cpu,cpuacct",
        "32 23 0:29 / " + memory + " rw - cgroup cgroup rw,memory");
  }

  private static String unified(Path mount) {
    return "31 23 0:28 / " + mount + " rw - cgroup2 cgroup2 rw";
  }

  /** Creates a directory that looks like /proc. */
  private Path mounts(String... lines) throws IOException {
    Path self = Files.createDirectories(directory.resolve("proc/self"));
    Files.write(self.resolve("mountinfo"), List.of(lines));
    Files.writeString(self.resolve("cgroup"), "0::/\n");
    return directory.resolve("proc");
  }
}
