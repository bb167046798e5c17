/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cgroup hierarchies of this machine, v1 or v2, where memory cgroups play nodes: creates them,
 * and removes whole subtrees with the processes in them.
 */
public final class NodeCgroups {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCgroups.class);

  /** Where the hierarchies are does not depend on the node. */
  private static final String ANY_NODE = "/charon";

  /**
   * Names of cgroups that a demo, a benchmark, a test or a cluster that stays makes, with the id of
   * its process.
   */
  private static final Pattern OURS =
      Pattern.compile("charon-(?:demo|bench|it|cluster)-(\\d{1,10})(?:-daemons)?");

  private static final List<String> CONTROLLERS = List.of("cpu", "cpuset", "memory");

  /** The kernel frees gigabytes of a killed JVM, swapped ones too, before its cgroup can go. */
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
   * @return empty unless the controllers of memory and processors are mounted
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
   * Finds them where nothing can be done without.
   *
   * @throws IOException unless the controllers of memory and processors are mounted
   */
  public static NodeCgroups require(Path procRoot) throws IOException {
    return find(procRoot)
        .orElseThrow(() -> new IOException("no cgroup controllers are mounted; see charon doctor"));
  }

  /**
   * Creates a memory cgroup with a limit.
   *
   * @param path path below the mount point, for example {@code /charon-demo-4711/node1}
   * @param limitBytes its memory limit; swap is not allowed on top of it where the kernel accounts
   *     swap
   * @throws IOException if it cannot be created; the message names the file
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
    return new NodeCgroup(path, directory, limitBytes, version2);
  }

  /**
   * Gives a cgroup a share of the processors, relative to each process outside of it. By default a
   * group, with all that runs in it, weighs as much as one process: too little for a cgroup that
   * plays whole nodes.
   *
   * @param path path below the mount point; created in the hierarchy of the processors
   * @param processes how many processes outside of it weigh as much, 1 to 100
   * @throws IOException if the weight cannot be set; the message names the file
   */
  public void weighLike(String path, int processes) throws IOException {
    Path directory = under(processorMount, path);
    if (version2) {
      delegateControllers(memoryMount, directory);
    }
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve(version2 ? "cpu.weight" : "cpu.shares"),
        Integer.toString(processes * (version2 ? 100 : 1024)));
  }

  /**
   * Moves a process to a cgroup that {@link #weighLike} made.
   *
   * @param path path below the mount point
   * @param pid the process; what it starts from now on follows
   * @throws IOException if it cannot be moved, or has ended; the message names the file
   */
  public void shareProcessors(String path, long pid) throws IOException {
    Files.writeString(
        under(processorMount, path).resolve("cgroup.procs"),
        Long.toString(pid),
        StandardOpenOption.WRITE);
  }

  /**
   * Removes the cgroups of demos, benchmarks and tests that were killed before they could do it
   * themselves. One in which something still runs stays, and nothing is killed.
   */
  public void removeLeftovers() {
    for (Path mount : mounts) {
      try (Stream<Path> tops = Files.list(mount)) {
        tops.filter(NodeCgroups::isLeftover).forEach(NodeCgroups::removeEmpty);
      } catch (IOException e) {
        LOG.debug("{} cannot be looked through", mount, e);
      }
    }
  }

  private static boolean isLeftover(Path top) {
    Matcher name = OURS.matcher(top.getFileName().toString());
    return name.matches()
        && Files.isDirectory(top)
        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty();
  }

  private static void removeEmpty(Path top) {
    for (Path directory : bottomUp(top)) {
      try {
        Files.delete(directory);
      } catch (IOException e) {
        LOG.debug("{} stays", directory, e);
      }
    }
  }

  /**
   * Kills every process in a subtree of all hierarchies (SIGKILL) and removes its directories. The
   * log names what is left after 20 s.
   */
  public void remove(String path) {
    long deadline = System.nanoTime() + REMOVAL.toNanos();
    // A process that forks while it is killed leaves a child behind: repeat until nothing is left.
    existing(path).forEach(NodeCgroups::removeOnce);
    while (!existing(path).isEmpty() && System.nanoTime() < deadline) {
      Pauses.sleep(100);
      existing(path).forEach(NodeCgroups::removeOnce);
    }
    existing(path).forEach(NodeCgroups::warnOf);
  }

  private List<Path> existing(String path) {
    return mounts.stream().map(mount -> under(mount, path)).filter(Files::isDirectory).toList();
  }

  private static void warnOf(Path top) {
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
        // The next attempt sees it again.
      }
    }
  }

  /** Directories of a subtree, children first; empty if it changes meanwhile. */
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

  /** Controllers reach a v2 cgroup only if each directory above it hands them on. */
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
