/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.cluster.NodeCgroup;
import io.charon.evaluation.cluster.NodeCgroups;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.ZramSwap;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A memory cgroup with a limit, swap for the memory above it, and containers inside. It is the only
 * place where a benchmark creates memory pressure; the rest of the machine is not limited.
 */
final class PressureCell {

  private final NativeTools tools;
  private final NodeCgroup cgroup;
  private int containers;

  private PressureCell(NativeTools tools, NodeCgroup cgroup) {
    this.tools = tools;
    this.cgroup = cgroup;
  }

  /**
   * Creates the cell.
   *
   * @param tools programs to run inside
   * @param limitMegabytes initial limit
   * @param swapMegabytes size of the swap device
   * @param cleanup receives the action that removes the cell
   * @throws IOException if this process may not create cgroups or swap, or the kernel cannot
   */
  static PressureCell create(
      NativeTools tools, int limitMegabytes, int swapMegabytes, Cleanup cleanup)
      throws IOException, InterruptedException {
    NodeCgroups hierarchy = NodeCgroups.require(Path.of("/proc"));
    ZramSwap.create(swapMegabytes, cleanup);
    String path = "/charon-bench-" + ProcessHandle.current().pid();
    cleanup.add(() -> hierarchy.remove(path));
    NodeCgroup cgroup = hierarchy.create(path, (long) limitMegabytes << 20);
    if (cgroup.version2()) {
      Files.writeString(cgroup.directory().resolve("cgroup.subtree_control"), "+memory");
    }
    return new PressureCell(tools, cgroup);
  }

  Path directory() {
    return cgroup.directory();
  }

  boolean version2() {
    return cgroup.version2();
  }

  /** Changes the limit; the kernel immediately reclaims the memory above it. */
  void limit(int megabytes) throws IOException {
    limitBytes((long) megabytes << 20);
  }

  /** Changes the limit to a number of bytes; the kernel rounds it to whole pages. */
  void limitBytes(long bytes) throws IOException {
    Files.writeString(
        directory().resolve(version2() ? "memory.max" : "memory.limit_in_bytes"),
        Long.toString(bytes));
  }

  /** Drops the page cache that removed containers left behind. */
  void dropOrphanedPageCache() throws IOException {
    new MemoryContainer(directory(), version2()).reclaim();
  }

  /** Creates an empty container; a number is appended to make its name unique. */
  MemoryContainer container(String name) throws IOException {
    containers++;
    return new MemoryContainer(
        Files.createDirectory(directory().resolve(name + "-" + containers)), version2());
  }

  /** Keeps every CPU busy from inside the cell until the cell is removed. */
  void startBusyLoops() throws IOException, InterruptedException {
    container("hogs")
        .start(
            Redirect.DISCARD,
            List.of(
                tools.workload().toString(),
                "burn",
                Integer.toString(Runtime.getRuntime().availableProcessors())));
  }
}
