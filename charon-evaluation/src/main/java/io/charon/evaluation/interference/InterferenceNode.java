/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.cluster.NodeCgroups;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.container.OomScores;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** A node of limited memory for one episode, with the cgroups that Charon creates. */
final class InterferenceNode implements AutoCloseable {
  /** Memory of the node, MB: the memory boundary B of the memory limit's law. */
  static final int MEGABYTES = 400;

  static final long MB = 1 << 20;
  private static final Path PROC = Path.of("/proc");
  private static final Set<String> FILE_LISTS_V1 =
      Set.of("total_active_file", "total_inactive_file");
  private static final Set<String> FILE_LISTS_V2 = Set.of("active_file", "inactive_file");

  /**
   * Starts a program in the kernel's idle I/O class, where it can be set, as the NodeManager does.
   */
  private static final List<String> IDLE_DISK = List.of("ionice", "-t", "-c", "3");

  private final NodeCgroups all;
  private final String path;
  private final CgroupLayout layout;
  private final CgroupWriter writer;
  private int containers;

  private InterferenceNode(NodeCgroups all, String path, CgroupLayout layout, CgroupWriter writer) {
    this.all = all;
    this.path = path;
    this.layout = layout;
    this.writer = writer;
  }

  /**
   * Creates the cgroups.
   *
   * @param path path below the mount points
   * @param cpus processors of each class; empty: all. With processors of its own, best-effort has
   *     the same weight as production; otherwise other work on the machine would slow it down
   * @param maySwap whether the kernel may reclaim anonymous memory of the node to this machine's
   *     swap
   * @throws IOException if this machine does not allow it; the message says what is missing
   */
  static InterferenceNode open(String path, Optional<CpuSplit> cpus, boolean maySwap)
      throws IOException {
    NodeCgroups all = NodeCgroups.require(PROC);
    try {
      CgroupLayout layout = CgroupLayout.detect(PROC, path);
      CgroupWriter writer = new CgroupWriter(layout, cpus);
      writer.prepareNode();
      InterferenceNode node = new InterferenceNode(all, path, layout, writer);
      limit(node.directory(), node.version(), maySwap);
      if (cpus.isPresent()) {
        node.weighAlike();
      }
      return node;
    } catch (CgroupException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  static void limit(Path node, CgroupVersion version, boolean maySwap) throws IOException {
    String limit = Long.toString(MEGABYTES * MB);
    Files.writeString(CgroupFile.MEMORY_LIMIT.path(node, version), limit);
    // Swap that this machine may have must not enlarge the node. Version 1 limits the sum of both,
    // within which the node may swap in any case; version 2 limits swap by itself.
    if (version == CgroupVersion.V1) {
      writeIfPresent(node.resolve("memory.memsw.limit_in_bytes"), limit);
    } else if (!maySwap) {
      writeIfPresent(node.resolve("memory.swap.max"), "0");
    }
  }

  private static void writeIfPresent(Path file, String value) throws IOException {
    if (Files.exists(file)) {
      Files.writeString(file, value);
    }
  }

  private void weighAlike() throws IOException {
    Optional<CgroupHierarchy> cpu = layout.hierarchy(CgroupController.CPU);
    if (cpu.isPresent()) {
      Path bestEffort = layout.classDirectory(cpu.get(), ContainerClass.BEST_EFFORT);
      Path production = layout.classDirectory(cpu.get(), ContainerClass.PRODUCTION);
      CgroupVersion version = cpu.get().version();
      writeIfPresent(CgroupFile.CPU_IDLE.path(bestEffort, version), "0");
      Files.writeString(
          CgroupFile.CPU_WEIGHT.path(bestEffort, version),
          Files.readString(CgroupFile.CPU_WEIGHT.path(production, version)).strip());
    }
  }

  CgroupLayout layout() {
    return layout;
  }

  CgroupVersion version() {
    return layout.version();
  }

  /** Returns the node's memory cgroup. */
  Path directory() {
    return layout.nodeDirectory(layout.memory());
  }

  /** Returns the memory cgroup that contains all containers of a class. */
  Path directory(ContainerClass kind) {
    return layout.classDirectory(layout.memory(), kind);
  }

  /** Sets a static memory limit for best-effort. */
  void limitBestEffort(long bytes) throws IOException {
    write(directory(ContainerClass.BEST_EFFORT), CgroupFile.MEMORY_LIMIT, bytes);
  }

  /** Returns the memory that a class holds, page cache included, MB. */
  double heldMegabytes(ContainerClass kind) throws IOException {
    return read(directory(kind), CgroupFile.MEMORY_USAGE) / (double) MB;
  }

  /** Returns the page cache of files that a class holds, dirty pages included, MB. */
  double fileMegabytes(ContainerClass kind) throws IOException {
    Path stat = CgroupFile.MEMORY_STAT.path(directory(kind), version());
    Set<String> lists = version() == CgroupVersion.V1 ? FILE_LISTS_V1 : FILE_LISTS_V2;
    return Files.readAllLines(stat).stream()
            .map(line -> line.split(" ", -1))
            .filter(words -> lists.contains(words[0]))
            .mapToLong(words -> Long.parseLong(words[1]))
            .sum()
        / (double) MB;
  }

  /** Returns the memory limit of best-effort, at most the node's, MB. */
  double limitMegabytes() throws IOException {
    long bytes = read(directory(ContainerClass.BEST_EFFORT), CgroupFile.MEMORY_LIMIT);
    return Math.min(bytes / (double) MB, MEGABYTES);
  }

  private long read(Path cgroup, CgroupFile file) throws IOException {
    String text = Files.readString(file.path(cgroup, version())).strip();
    return text.equals("max") ? Long.MAX_VALUE : Long.parseLong(text);
  }

  private void write(Path cgroup, CgroupFile file, long bytes) throws IOException {
    Files.writeString(file.path(cgroup, version()), Long.toString(bytes));
  }

  /**
   * Starts a program in a container of its own, and reads its standard output.
   *
   * @param idleDisk whether it runs in the kernel's idle I/O class
   */
  InterferenceContainer start(ContainerClass kind, boolean idleDisk, List<String> command)
      throws IOException {
    containers++;
    String id = "container_" + containers;
    try {
      List<Path> joins = writer.createContainer(id, kind, OptionalInt.empty());
      int score = kind == ContainerClass.BEST_EFFORT ? OomScores.BEST_EFFORT : OomScores.NEUTRAL;
      List<String> whole =
          new ArrayList<>(
              List.of(new LaunchPrefix(score, joins, idleDisk ? IDLE_DISK : List.of()).command()));
      whole.addAll(command);
      Process process =
          new ProcessBuilder(whole)
              .redirectOutput(Redirect.PIPE)
              .redirectError(Redirect.DISCARD)
              .start();
      return new InterferenceContainer(
          id,
          layout.containerDirectory(layout.memory(), kind, id),
          process,
          ProgressLines.of(process),
          System.nanoTime(),
          writer);
    } catch (CgroupException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Kills all processes in the node and removes its cgroups. */
  @Override
  public void close() {
    all.remove(path);
  }
}
