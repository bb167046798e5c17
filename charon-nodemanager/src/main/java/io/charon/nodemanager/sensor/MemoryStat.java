/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the working set of a cgroup and all cgroups below it with one read of memory.stat, and the
 * memory that it has in swap.
 *
 * <p>Working set = inactive_anon + active_anon + unevictable. The kernel keeps every page on
 * exactly one of five lists, so no page is counted twice. The two anonymous lists hold anonymous
 * memory and shared memory (tmpfs, shm), which can only be evicted to swap. The unevictable list
 * holds locked memory (mlock), whether anonymous, shared or file. The two file lists, reclaimable
 * page cache, are excluded. Counters such as anon + shmem would miss locked files or, with
 * unevictable added, count locked anonymous pages twice.
 */
final class MemoryStat implements Closeable {
  private final PseudoFile stat;
  private final CgroupVersion version;
  private final Optional<PseudoFile> swap;
  private long swappedBytes;

  MemoryStat(Path memoryCgroup, CgroupVersion version) {
    this.stat = new PseudoFile(CgroupFile.MEMORY_STAT.path(memoryCgroup, version));
    this.version = version;
    this.swap = CgroupFile.SWAP_USAGE.in(memoryCgroup, version).map(PseudoFile::new);
  }

  /** Reads the files afresh; the other methods return the values of the last read. */
  void read() throws IOException {
    stat.read();
    swappedBytes = readSwap();
  }

  private long readSwap() {
    if (swap.isEmpty()) {
      return Math.max(0, stat.find("total_swap"));
    }
    try {
      swap.get().read();
      return swap.get().number();
    } catch (IOException kernelThatDoesNotCountSwap) {
      return 0;
    }
  }

  /**
   * Returns the working set in bytes. On v1 only the counters with "total_" include the cgroups
   * below.
   */
  long workingSetBytes() throws IOException {
    return version == CgroupVersion.V1
        ? stat.field("total_inactive_anon")
            + stat.field("total_active_anon")
            + stat.field("total_unevictable")
        : stat.field("inactive_anon") + stat.field("active_anon") + stat.field("unevictable");
  }

  /**
   * Returns the working set and its parts. A process that has mapped files of the disk as well
   * hides as much of the part that outlives the container.
   */
  WorkingSet workingSet() throws IOException {
    // In the order in which the kernel writes them, which is the fastest to find.
    long inMemory = CgroupUse.memoryFilesBytes(stat, version);
    long mapped = CgroupUse.mappedBytes(stat, version);
    long bytes = workingSetBytes();
    long files = Math.min(bytes, inMemory);
    return new WorkingSet(bytes, files, Math.max(0, files - mapped));
  }

  /** Returns the memory in swap in bytes; 0 if the kernel does not count it. */
  long swappedBytes() {
    return swappedBytes;
  }

  /**
   * Returns the memory that the cgroup would hold if there were room for it: working set and swap,
   * bytes.
   */
  long demandBytes() throws IOException {
    return workingSetBytes() + swappedBytes;
  }

  @Override
  public void close() throws IOException {
    stat.close();
    if (swap.isPresent()) {
      swap.get().close();
    }
  }
}
