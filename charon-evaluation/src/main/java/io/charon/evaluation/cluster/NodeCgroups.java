/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import io.charon.evaluation.machine.ProcessNames;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cgroup hierarchies of this machine, v1 or v2, in which memory cgroups represent nodes.
 * Creates such cgroups, and removes whole subtrees with the processes in them.
 */
public final class NodeCgroups {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCgroups.class);

  /** Any node path: the locations of the hierarchies do not depend on it. */
  private static final String ANY_NODE = "/charon";

  /** Highest CPU weight of a cgroup v2, in processes: the kernel refuses more than 10,000. */
  private static final int MAX_PROCESSES = 100;

  private static final Path SELF = Path.of("/proc/self");

  private static final List<String> CONTROLLERS = List.of("cpu", "cpuset", "memory");

  /**
   * Time limit of a removal: the kernel frees all memory of a killed JVM, which may be gigabytes
   * and partly swapped, before its cgroup can be removed.
   */
  private static final Duration REMOVAL = Duration.ofSeconds(20);

  private final List<Path> mounts;
  private final Path memoryMount;
  private final Path processorMount;
  private final boolean version2;

  private NodeCgroups(CgroupLayout layout, CgroupHierarchy processors) {
    this.mounts = layout.ofClasses().stream().map(CgroupHierarchy::mountPoint).toList();
    this.memoryMount = layout.memory().mountPoint();
    this.processorMount = processors.mountPoint();
    this.version2 = layout.version() == CgroupVersion.V2;
  }

  /**
   * Finds the hierarchies.
   *
   * @param procRoot where proc is mounted
   * @return empty unless the memory and CPU controllers are mounted
   */
  public static Optional<NodeCgroups> find(Path procRoot) {
    try {
      CgroupLayout layout = CgroupLayout.detect(procRoot, ANY_NODE);
      return layout
          .hierarchy(CgroupController.CPU)
          .map(processors -> new NodeCgroups(layout, processors));
    } catch (CgroupException e) {
      return Optional.empty();
    }
  }

  /**
   * Finds the hierarchies or fails.
   *
   * @throws IOException unless the memory and CPU controllers are mounted
   */
  public static NodeCgroups require(Path procRoot) throws IOException {
    return find(procRoot)
        .orElseThrow(() -> new IOException("no cgroup controllers are mounted; see charon doctor"));
  }

  /** Returns the version of the cgroups. */
  public CgroupVersion version() {
    return version2 ? CgroupVersion.V2 : CgroupVersion.V1;
  }

  /**
   * Creates a memory cgroup with a limit. Swap is not limited.
   *
   * @param path path below the mount point, for example {@code /charon-demo-4711/node1}
   * @param limitBytes memory limit, bytes
   * @throws IOException if the cgroup cannot be created; the message names the file
   */
  public NodeCgroup create(String path, long limitBytes) throws IOException {
    Path directory = under(memoryMount, path);
    if (version2) {
      delegateControllers(memoryMount, directory);
    }
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve(version2 ? "memory.max" : "memory.limit_in_bytes"),
        Long.toString(limitBytes));
    return new NodeCgroup(path, directory, version2);
  }

  /**
   * Sets the CPU weight of a cgroup relative to processes outside of it. By default a cgroup with
   * all its processes weighs as much as one process, which is too little for a cgroup that
   * represents whole nodes.
   *
   * @param path path below the mount point; created in the hierarchy of the CPU controller
   * @param processes number of outside processes that weigh the same, at least 1; more than 100
   *     count as 100
   * @throws IOException if the weight cannot be set; the message names the file
   */
  public void setCpuWeight(String path, int processes) throws IOException {
    Path directory = under(processorMount, path);
    if (version2) {
      delegateControllers(memoryMount, directory);
    }
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve(version2 ? "cpu.weight" : "cpu.shares"),
        Integer.toString(Math.min(processes, MAX_PROCESSES) * (version2 ? 100 : 1024)));
  }

  /**
   * Moves a process to a cgroup that {@link #setCpuWeight} created.
   *
   * @param path path below the mount point
   * @param pid the process; its future children follow it
   * @throws IOException if the process cannot be moved or has exited; the message names the file
   */
  public void moveProcess(String path, long pid) throws IOException {
    Files.writeString(
        under(processorMount, path).resolve("cgroup.procs"),
        Long.toString(pid),
        StandardOpenOption.WRITE);
  }

  /**
   * Removes the cgroups of demos, benchmarks, tests and clusters that were killed before they could
   * do it themselves. Processes are killed (SIGKILL) in cgroups that this user made and in which
   * none is of another PID namespace, where the id in the name may be that of a running process.
   * Other cgroups with running processes stay.
   */
  public void removeLeftovers() {
    for (Path mount : mounts) {
      try (Stream<Path> tops = Files.list(mount)) {
        tops.filter(NodeCgroups::isLeftover).forEach(this::removeLeftover);
      } catch (IOException e) {
        LOG.debug("{} cannot be searched for cgroups", mount, e);
      }
    }
  }

  private static boolean isLeftover(Path top) {
    return ProcessNames.isLeftover(top.getFileName().toString()) && Files.isDirectory(top);
  }

  private void removeLeftover(Path top) {
    List<Long> left =
        bottomUp(top).stream().map(NodeCgroups::processes).flatMap(List::stream).toList();
    if (!left.isEmpty() && isOwn(top) && left.stream().allMatch(NodeCgroups::isOfThisNamespace)) {
      LOG.warn("Killing processes {}, which a killed process had left in {}", left, top);
      remove(top.getFileName().toString());
    } else {
      removeEmpty(top);
    }
  }

  private static boolean isOwn(Path top) {
    try {
      return Files.getAttribute(top, "unix:uid").equals(Files.getAttribute(SELF, "unix:uid"));
    } catch (IOException removedMeanwhile) {
      return false;
    }
  }

  private static boolean isOfThisNamespace(long pid) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/pid"))
          .equals(Files.readSymbolicLink(SELF.resolve("ns/pid")));
    } catch (IOException endedOrOfAnotherUser) {
      return false;
    }
  }

  private static void removeEmpty(Path top) {
    for (Path directory : bottomUp(top)) {
      try {
        Files.delete(directory);
      } catch (IOException e) {
        LOG.debug("{} is not removed", directory, e);
      }
    }
  }

  /**
   * Kills every process in a subtree of all hierarchies (SIGKILL) and removes the subtree's
   * directories. Cgroups that are left after 20 s are logged.
   */
  public void remove(String path) {
    long deadline = System.nanoTime() + REMOVAL.toNanos();
    // A process that forks while it is killed leaves a child behind, so this repeats until nothing
    // is left.
    existing(path).forEach(NodeCgroups::removeOnce);
    while (!existing(path).isEmpty() && System.nanoTime() < deadline) {
      Sleeps.sleep(100);
      existing(path).forEach(NodeCgroups::removeOnce);
    }
    existing(path).forEach(NodeCgroups::warnAbout);
  }

  private List<Path> existing(String path) {
    return mounts.stream().map(mount -> under(mount, path)).filter(Files::isDirectory).toList();
  }

  private static void warnAbout(Path top) {
    String left =
        bottomUp(top).stream()
            .map(directory -> directory + " with processes " + processes(directory))
            .collect(Collectors.joining(", "));
    LOG.warn("Not removed after {} s: {}", REMOVAL.toSeconds(), left);
  }

  private static void removeOnce(Path top) {
    for (Path directory : bottomUp(top)) {
      killProcesses(directory);
      try {
        Files.deleteIfExists(directory);
      } catch (IOException stillInUse) {
        // The next attempt handles it.
      }
    }
  }

  /**
   * Returns the directories of a subtree, children first; empty if the subtree changes meanwhile.
   */
  private static List<Path> bottomUp(Path top) {
    try (Stream<Path> tree = Files.walk(top)) {
      return tree.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).toList();
    } catch (IOException | UncheckedIOException changedMeanwhile) {
      return List.of();
    }
  }

  private static void killProcesses(Path directory) {
    processes(directory).stream()
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .forEach(ProcessHandle::destroyForcibly);
  }

  private static List<Long> processes(Path directory) {
    try {
      return Files.readAllLines(directory.resolve("cgroup.procs")).stream()
          .map(Long::valueOf)
          .toList();
    } catch (IOException alreadyGone) {
      return List.of();
    }
  }

  /**
   * Enables the controllers in every ancestor of a v2 cgroup, without which they are not available
   * in it.
   */
  private static void delegateControllers(Path mount, Path directory) throws IOException {
    Path parent = mount;
    for (Path step : mount.relativize(directory)) {
      for (String controller : CONTROLLERS) {
        if (has(parent.resolve("cgroup.controllers"), controller)
            && !has(parent.resolve("cgroup.subtree_control"), controller)) {
          Files.writeString(parent.resolve("cgroup.subtree_control"), "+" + controller);
        }
      }
      parent = parent.resolve(step);
      Files.createDirectories(parent);
    }
  }

  private static boolean has(Path list, String controller) throws IOException {
    try {
      return List.of(Files.readString(list).trim().split("\\s+", -1)).contains(controller);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static Path under(Path mount, String path) {
    return mount.resolve(path.startsWith("/") ? path.substring(1) : path);
  }
}
