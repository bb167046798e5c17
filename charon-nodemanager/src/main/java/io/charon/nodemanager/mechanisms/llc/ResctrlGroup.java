/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A resctrl group (Intel RDT, AMD QoS) whose tasks share some ways of the last-level cache and a
 * part of the memory bandwidth. An operator has to create its directory, which requires root;
 * everything else only requires write access to three files.
 */
public final class ResctrlGroup {
  private static final int HEXADECIMAL = 16;
  private static final int MAX_WAYS = 62;

  private final ResctrlFiles files;

  /**
   * Creates a group without touching anything.
   *
   * @param group its directory, directly below the mount point of resctrl
   */
  public ResctrlGroup(Path group) {
    this(group, ResctrlFiles::kernel);
  }

  /** Creates a group whose files are written by the given writer. */
  ResctrlGroup(Path group, ResctrlFiles.Writer writer) {
    this.files = new ResctrlFiles(group, writer);
  }

  /** Returns the files of the group. */
  ResctrlFiles files() {
    return files;
  }

  /** Returns whether the group exists. */
  public boolean exists() {
    return Files.isDirectory(files.group());
  }

  /** Returns why the group cannot be used, with the cure; empty if it can. */
  public Optional<String> unavailable() {
    if (Files.exists(files.root().resolve("info/L3CODE"))) {
      return Optional.of(
          files.root()
              + " is mounted with cdp, which separates code from data: mount it without cdp");
    }
    if (!hasWays()) {
      return Optional.of(
          mask()
              + " does not exist: the processor needs Intel CAT (flag cat_l3 in /proc/cpuinfo),"
              + " and resctrl must be mounted (mount -t resctrl resctrl /sys/fs/resctrl)");
    }
    return cannotReceive();
  }

  /** Returns why the group cannot be limited or cannot receive threads; empty if it can. */
  Optional<String> cannotReceive() {
    return exists()
        ? ResctrlFiles.unwritable(
            ResctrlFiles.schemata(files.group()),
            ResctrlFiles.tasks(files.group()),
            ResctrlFiles.tasks(files.root()))
        : Optional.of(files.group() + " does not exist: as root, mkdir " + files.group());
  }

  /** Returns whether the cache can be partitioned. */
  boolean hasWays() {
    return Files.exists(mask());
  }

  private Path mask() {
    return files.info(ResctrlFiles.CACHE, "cbm_mask");
  }

  /**
   * Returns the number of ways of the cache.
   *
   * @throws IOException naming the file
   */
  public int ways() throws IOException {
    Path file = mask();
    long mask = ResctrlFiles.number(file, HEXADECIMAL, 1, maskOf(MAX_WAYS));
    int ways = Long.bitCount(mask);
    if (mask != maskOf(ways)) {
      throw new IOException(file + " has gaps, but the limit needs a contiguous mask");
    }
    return ways;
  }

  /**
   * Returns the minimum number of ways of a group.
   *
   * @throws IOException naming the file
   */
  public int minWays() throws IOException {
    return (int)
        ResctrlFiles.number(files.info(ResctrlFiles.CACHE, "min_cbm_bits"), 10, 1, MAX_WAYS);
  }

  /**
   * Gives the group the lowest ways of each cache, because devices often write into the highest
   * ones.
   *
   * @param ways from {@link #minWays} to {@link #ways}
   * @return the resulting schema, such as L3:0=f;1=f
   * @throws IOException naming the file, with the kernel's explanation
   */
  public String limit(int ways) throws IOException {
    String wanted = Long.toHexString(maskOf(ways));
    SortedMap<Integer, String> schema =
        new TreeMap<>(files.schema(files.group(), ResctrlFiles.CACHE));
    boolean holds =
        schema.values().stream()
            .allMatch(mask -> Long.parseLong(mask, HEXADECIMAL) == maskOf(ways));
    schema.replaceAll((cache, mask) -> wanted);
    return holds
        ? ResctrlFiles.line(ResctrlFiles.CACHE, schema)
        : files.set(ResctrlFiles.CACHE, schema);
  }

  /**
   * Moves threads into the group; threads that they start later belong to it automatically.
   *
   * @param threads thread ids. Ended threads are skipped, and so is 0: it stands for a thread of
   *     another pid namespace, but resctrl would take it as the writing thread itself
   * @param procRoot where proc is mounted, to recognize ended threads
   * @return number of threads that were moved
   * @throws IOException naming the file and the thread
   */
  int add(Set<Long> threads, Path procRoot) throws IOException {
    return move(threads, ResctrlFiles.tasks(files.group()), procRoot);
  }

  /**
   * Moves threads to the default group, like {@link #add}.
   *
   * @return number of threads that were moved
   * @throws IOException naming the file and the thread
   */
  int release(Set<Long> threads, Path procRoot) throws IOException {
    return move(threads, ResctrlFiles.tasks(files.root()), procRoot);
  }

  private int move(Set<Long> threads, Path tasks, Path procRoot) throws IOException {
    int moved = 0;
    for (long thread : new TreeSet<>(threads)) {
      if (thread == 0) {
        continue;
      }
      try {
        // One write per thread, because older kernels do not accept a list.
        files.move(tasks, thread);
        moved++;
      } catch (IOException e) {
        if (Files.exists(procRoot.resolve(Long.toString(thread))) || !Files.exists(tasks)) {
          throw e;
        }
      }
    }
    return moved;
  }

  /**
   * Returns the threads of the group.
   *
   * @throws IOException naming the file
   */
  Set<Long> members() throws IOException {
    Path tasks = ResctrlFiles.tasks(files.group());
    Set<Long> members = new LinkedHashSet<>();
    for (String line : ResctrlFiles.read(tasks).lines().toList()) {
      try {
        members.add(Long.valueOf(line));
      } catch (NumberFormatException e) {
        throw new IOException(tasks + " holds '" + line + "', which is not a thread id", e);
      }
    }
    return members;
  }

  private static long maskOf(int ways) {
    return (1L << ways) - 1;
  }
}
