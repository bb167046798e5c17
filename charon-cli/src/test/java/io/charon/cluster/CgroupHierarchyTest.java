/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupHierarchyTest {
  @TempDir Path directory;

  @Test
  void limitsANodeOnVersion1() throws IOException {
    Path memory = Files.createDirectories(directory.resolve("memory"));
    Path cpu = Files.createDirectories(directory.resolve("cpu"));
    CgroupHierarchy cgroups =
        CgroupHierarchy.find(
                mounts(
                    "cgroup " + cpu + " cgroup rw,cpu,cpuacct 0 0",
                    "cgroup " + memory + " cgroup rw,memory 0 0"))
            .orElseThrow();

    NodeCgroup node = cgroups.create("/demo/node1", 3L << 30);
    cgroups.weighLike("/demo", 20);

    assertThat(memory.resolve("demo/node1/memory.limit_in_bytes")).hasContent("3221225472");
    assertThat(cpu.resolve("demo/cpu.shares")).hasContent("20480");
    assertThat(node.version2()).isFalse();
  }

  @Test
  void handsControllersOnOnVersion2() throws IOException {
    Path mount = Files.createDirectories(directory.resolve("unified"));
    Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory pids\n");
    Files.writeString(mount.resolve("cgroup.subtree_control"), "cpu pids\n");
    CgroupHierarchy cgroups =
        CgroupHierarchy.find(mounts("cgroup2 " + mount + " cgroup2 rw 0 0")).orElseThrow();

    NodeCgroup node = cgroups.create("/demo/node1", 3L << 30);
    cgroups.weighLike("/demo", 20);

    assertThat(mount.resolve("cgroup.subtree_control")).hasContent("+memory");
    assertThat(mount.resolve("demo/node1/memory.max")).hasContent("3221225472");
    assertThat(mount.resolve("demo/cpu.weight")).hasContent("2000");
    assertThat(node.version2()).isTrue();
  }

  @Test
  void isAbsentWithoutAMemoryController() throws IOException {
    Path mount = Files.createDirectories(directory.resolve("unified"));
    Files.writeString(mount.resolve("cgroup.controllers"), "pids\n");

    assertThat(CgroupHierarchy.find(mounts("cgroup2 " + mount + " cgroup2 rw 0 0"))).isEmpty();
    assertThat(CgroupHierarchy.find(mounts("tmpfs /tmp tmpfs rw 0 0"))).isEmpty();
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

  private Path mounts(String... lines) throws IOException {
    return Files.write(directory.resolve("mounts"), java.util.List.of(lines));
  }
}
