/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Basic operations on cgroup directories, which other processes may change at the same time. */
public final class CgroupDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(CgroupDirectories.class);

  private CgroupDirectories() {}

  /** Creates one cgroup below an existing one; leaves an existing cgroup as it is. */
  public static void create(Path cgroup) throws IOException {
    try {
      Files.createDirectory(cgroup);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(cgroup)) {
        throw e;
      }
    }
  }

  /**
   * Writes a value into an existing file; never creates one, because only the kernel creates the
   * files of a cgroup.
   */
  static void write(Path file, String value) throws IOException {
    Files.writeString(file, value, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
  }

  static String read(Path file) throws IOException {
    return Files.readString(file).strip();
  }

  /** Returns the cgroups directly below that are named after containers, sorted by container id. */
  static SortedMap<String, Path> containers(Path cgroup) throws IOException {
    SortedMap<String, Path> containers = new TreeMap<>();
    for (Path child : CgroupChildren.of(cgroup, CgroupLayout::isContainerId)) {
      containers.put(child.getFileName().toString(), child);
    }
    return containers;
  }

  /**
   * Adds the processes of the cgroup and of all cgroups below it; a cgroup that vanishes meanwhile
   * has none.
   */
  static void addProcesses(Path cgroup, Set<Long> processes) throws IOException {
    for (Path child : CgroupChildren.of(cgroup)) {
      addProcesses(child, processes);
    }
    Optional<String> procs = readIfPresent(cgroup.resolve("cgroup.procs"));
    if (procs.isPresent()) {
      procs.get().lines().map(Long::valueOf).forEach(processes::add);
    }
  }

  /**
   * Returns the content of a file, or empty if the cgroup is gone. Reading fails also if the cgroup
   * is removed after its file was opened.
   */
  static Optional<String> readIfPresent(Path file) throws IOException {
    try {
      return Optional.of(read(file));
    } catch (IOException e) {
      if (Files.exists(file)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /**
   * Moves processes. A process that cannot be moved either has ended or stays listed in its old
   * cgroup.
   *
   * @return the last refusal; empty if there was none
   */
  static Optional<IOException> enter(Path procs, Collection<Long> processes) {
    Optional<IOException> refusal = Optional.empty();
    for (long pid : processes) {
      try {
        write(procs, Long.toString(pid));
      } catch (IOException e) {
        LOG.debug("cannot move process {} into {}: {}", pid, procs, e.toString());
        refusal = Optional.of(e);
      }
    }
    return refusal;
  }

  /**
   * Removes the cgroup and all cgroups below it, deepest first.
   *
   * @return whether all of them are gone; false while one of them contains processes
   */
  static boolean remove(Path cgroup) throws IOException {
    boolean gone = true;
    for (Path child : CgroupChildren.of(cgroup)) {
      gone &= remove(child);
    }
    return gone && removeOne(cgroup);
  }

  /**
   * Removes one cgroup that has no children.
   *
   * @return whether it is gone; false if the kernel refuses, usually because it is in use (EBUSY)
   */
  public static boolean removeOne(Path cgroup) {
    try {
      Files.deleteIfExists(cgroup);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
