/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.CgroupId;
import io.charon.killer.client.KernelKillerException;
import io.charon.nodemanager.cgroup.CgroupDirectories;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.container.ContainerInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes promotions for which this NodeManager could not move the container's processes out of
 * best-effort's cgroup. On cgroup v2 only root may be able to; then the helper moves them.
 */
final class Promotions {
  private static final Logger LOG = LoggerFactory.getLogger(Promotions.class);

  private final CgroupLayout layout;

  Promotions(CgroupLayout layout) {
    this.layout = layout;
  }

  /**
   * Moves processes left in best-effort's cgroup; does nothing if there are none.
   *
   * @return why the helper could not; empty if it moved them or there are none
   */
  Optional<String> finish(ContainerInfo container, KernelKillerConnection.Connected link) {
    CgroupHierarchy memory = layout.memory();
    String id = container.containerId();
    Path left = layout.containerDirectory(memory, ContainerClass.BEST_EFFORT, id);
    Path entered = layout.containerDirectory(memory, ContainerClass.PRODUCTION, id);
    try {
      if (container.containerClass() != ContainerClass.PRODUCTION || !holdsProcesses(left)) {
        return Optional.empty();
      }
      removeIfEmpty(entered);
      int moved = link.killer().move(link.domain(), CgroupId.of(left));
      LOG.info("the helper moved {} processes of {} to production", moved, id);
      return Optional.empty();
    } catch (KernelKillerException e) {
      makeAgain(entered);
      return Optional.of(
          "it remains in best-effort's cgroup, where it is not killable: " + e.getMessage());
    } catch (IOException e) {
      LOG.debug("{} has ended, or its cgroups cannot be read", id, e);
      return Optional.empty();
    }
  }

  private static boolean holdsProcesses(Path cgroup) throws IOException {
    if (!Files.isDirectory(cgroup)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(cgroup)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.endsWith("cgroup.procs") && !Files.readString(file).isBlank()) {
          return true;
        }
      }
      return false;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * The helper has few capabilities, and moves processes only into a cgroup that it created itself.
   */
  private static void removeIfEmpty(Path cgroup) {
    if (!CgroupDirectories.removeOne(cgroup)) {
      LOG.debug("{} already holds some of the processes", cgroup);
    }
  }

  private static void makeAgain(Path cgroup) {
    try {
      CgroupDirectories.create(cgroup);
    } catch (IOException e) {
      LOG.debug("cannot create {} again", cgroup, e);
    }
  }
}
