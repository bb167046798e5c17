/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The working set of a cgroup and all below it, from one read of memory.stat, and what it has in
 * swap.
 *
 * <p>Working set = inactive_anon + active_anon + unevictable. The kernel keeps every page on
 * exactly one of five lists, so nothing is counted twice: the two anonymous lists hold anonymous
 * memory and shared memory (tmpfs, shm; it has nowhere to go but swap), the unevictable list holds
 * what is locked (mlock), be it anonymous, shared or file. The two file lists, reclaimable page
 * cache, stay out. Counters such as anon + shmem would miss locked files or, with unevictable
 * added, count locked anonymous pages twice.
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

  /** Reads the file afresh; the other methods tell what it found. */
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

  /** Bytes. On v1 the plain counters leave out the cgroups below, those with "total_" do not. */
  long workingSetBytes() throws IOException {
    return version == CgroupVersion.V1
        ? stat.field("total_inactive_anon")
            + stat.field("total_active_anon")
            + stat.field("total_unevictable")
        : stat.field("inactive_anon") + stat.field("active_anon") + stat.field("unevictable");
  }

  /** Bytes; 0 where the kernel does not count them. */
  long swappedBytes() {
    return swappedBytes;
  }

  /** What it would hold if there were room: working set and swap, bytes. */
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
