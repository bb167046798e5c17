/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.charon.evaluation.machine.MemoryDirectory;
import io.charon.evaluation.machine.ProcessNames;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.evaluation.machine.TemporaryDirectory.Leftover;
import io.charon.evaluation.machine.UaKiller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what is left of a cluster after its daemons were told to exit or its process was killed.
 */
public final class ClusterLeftovers {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterLeftovers.class);

  private ClusterLeftovers() {}

  /**
   * Kills every process of a cluster (SIGKILL), and removes its cgroups and its work directory.
   *
   * @param workDirectory {@link YarnCluster#workDirectory}
   * @param cgroupRoot {@link ClusterSpec#cgroupRoot}
   */
  public static void remove(Path workDirectory, Optional<String> cgroupRoot) {
    StartedProcesses.killAll(workDirectory);
    Optional<NodeCgroups> cgroups =
        cgroupRoot.isPresent() ? NodeCgroups.find(Path.of("/proc")) : Optional.empty();
    cgroups.ifPresent(
        hierarchy -> {
          hierarchy.remove(cgroupRoot.get());
          hierarchy.remove(daemons(cgroupRoot.get()));
        });
    new ClusterFiles(workDirectory).delete();
  }

  /**
   * Does this for all clusters and files of this user whose process was killed before it could,
   * also for those in memory, and for the cgroups of benchmarks. Those of other users are removed
   * if nothing runs in them.
   *
   * @param said receives a line for the user about each process
   */
  public static void removeOfKilled(Consumer<String> said) throws IOException {
    Optional<NodeCgroups> cgroups = NodeCgroups.find(Path.of("/proc"));
    Map<Long, List<Path>> directories =
        TemporaryDirectory.leftovers().stream()
            .collect(
                groupingBy(
                    Leftover::processId, TreeMap::new, mapping(Leftover::directory, toList())));
    directories.forEach(
        (killed, left) -> {
          long processes =
              left.stream().map(StartedProcesses::naming).flatMap(List::stream).distinct().count();
          cgroups.ifPresent(all -> ProcessNames.of(killed).forEach(name -> all.remove("/" + name)));
          left.forEach(directory -> removeLeftover(new Leftover(directory, killed)));
          said.accept(
              "Removed what process %d, which was killed, had left behind: %d processes, %s"
                  .formatted(killed, processes, join(left)));
        });
    cgroups.ifPresent(NodeCgroups::removeLeftovers);
  }

  /**
   * Does this, and unloads the kernel UA killers that are left: one that is attached costs every
   * page fault of this machine something.
   *
   * @param killer the program ua-killer
   * @param said receives a line for the user about each process
   * @throws IOException if a killer cannot be unloaded; the message says why
   */
  public static void removeOfKilled(Path killer, Consumer<String> said)
      throws IOException, InterruptedException {
    // First, because a killer's helper creates the cgroups again that are removed.
    UaKiller.removeLeftovers(killer);
    removeOfKilled(said);
  }

  private static void removeLeftover(Leftover leftover) {
    StartedProcesses.killAll(leftover.directory());
    try {
      MemoryDirectory.unmount(leftover);
    } catch (IOException e) {
      LOG.warn("{} stays mounted", leftover.directory(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    remove(leftover.directory(), Optional.empty());
  }

  static void removeOfKilled() throws IOException {
    removeOfKilled(LOG::warn);
  }

  private static String join(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(joining(", "));
  }

  /** Returns the cgroup of a cluster's daemons, a sibling of that of its nodes. */
  static String daemons(String cgroupRoot) {
    return cgroupRoot + ProcessNames.DAEMONS;
  }
}
