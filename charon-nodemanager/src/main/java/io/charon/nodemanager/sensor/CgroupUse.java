/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The memory of a cgroup and of all cgroups below it.
 *
 * @param chargedBytes memory including page cache and kernel memory
 * @param swapBytes memory in swap; 0 if the kernel does not count it
 * @param cleanBytes page cache that could be dropped at once: on the lists of file pages, and
 *     neither dirty nor under writeback
 * @param mappedBytes file pages that processes have mapped; 0 if the kernel does not report them
 * @param memoryFilesBytes files in memory (tmpfs) and shared memory; 0 if the kernel does not
 *     report them
 */
public record CgroupUse(
    long chargedBytes, long swapBytes, long cleanBytes, long mappedBytes, long memoryFilesBytes) {
  /**
   * Reads a cgroup's files.
   *
   * @throws IOException naming the file that cannot be read
   */
  public static CgroupUse read(Path cgroup, CgroupVersion version) throws IOException {
    try (OpenFiles files = new OpenFiles(cgroup, version)) {
      return files.read();
    }
  }

  /** The files of one cgroup, which stay open between two readings. */
  static final class OpenFiles implements RoundRobinReader.Reading<CgroupUse> {
    private final CgroupVersion version;
    private final PseudoFile usage;
    private final PseudoFile stat;
    private final Optional<PseudoFile> swap;

    OpenFiles(Path cgroup, CgroupVersion version) {
      this.version = version;
      this.usage = new PseudoFile(CgroupFile.MEMORY_USAGE.path(cgroup, version));
      this.stat = new PseudoFile(CgroupFile.MEMORY_STAT.path(cgroup, version));
      this.swap = CgroupFile.SWAP_USAGE.in(cgroup, version).map(PseudoFile::new);
    }

    @Override
    public CgroupUse read() throws IOException {
      usage.read();
      stat.read();
      return new CgroupUse(
          usage.number(),
          swap.isPresent() ? swap(swap.get()) : Math.max(0, stat.find("total_swap")),
          cleanBytes(stat, version),
          mappedBytes(stat, version),
          memoryFilesBytes(stat, version));
    }

    private static long swap(PseudoFile swap) {
      try {
        swap.read();
        return swap.number();
      } catch (IOException kernelThatDoesNotCountSwap) {
        return 0;
      }
    }

    @Override
    public void close() throws IOException {
      usage.close();
      stat.close();
      if (swap.isPresent()) {
        swap.get().close();
      }
    }
  }

  /**
   * Returns the page cache that could be dropped at once, from the last read of {@code
   * memory.stat}.
   */
  static long cleanBytes(PseudoFile stat, CgroupVersion version) throws IOException {
    boolean first = version == CgroupVersion.V1;
    String prefix = first ? "total_" : "";
    long file = stat.field(prefix + "active_file") + stat.field(prefix + "inactive_file");
    long dirty = Math.max(0, stat.find(first ? "total_dirty" : "file_dirty"));
    long writeback = Math.max(0, stat.find(first ? "total_writeback" : "file_writeback"));
    return Math.max(0, file - dirty - writeback);
  }

  /**
   * Returns the file pages that processes have mapped, from the last read of {@code memory.stat}; 0
   * if the kernel does not report them.
   */
  static long mappedBytes(PseudoFile stat, CgroupVersion version) {
    return Math.max(
        0, stat.find(version == CgroupVersion.V1 ? "total_mapped_file" : "file_mapped"));
  }

  /**
   * Returns files in memory and shared memory, from the last read of {@code memory.stat}; 0 if the
   * kernel does not report them.
   */
  static long memoryFilesBytes(PseudoFile stat, CgroupVersion version) {
    return Math.max(0, stat.find(version == CgroupVersion.V1 ? "total_shmem" : "shmem"));
  }

  /** Returns the use of an empty cgroup. */
  static CgroupUse nothing() {
    return new CgroupUse(0, 0, 0, 0, 0);
  }

  /** Returns the sum of both uses. */
  CgroupUse plus(CgroupUse other) {
    return new CgroupUse(
        chargedBytes + other.chargedBytes,
        swapBytes + other.swapBytes,
        cleanBytes + other.cleanBytes,
        mappedBytes + other.mappedBytes,
        memoryFilesBytes + other.memoryFilesBytes);
  }

  /** Returns the charged memory plus the memory in swap, bytes. */
  public long bytes() {
    return chargedBytes + swapBytes;
  }

  /** Returns the memory that could not be dropped at once, without swap, bytes. */
  public long unreclaimableBytes() {
    return Math.max(0, chargedBytes - cleanBytes);
  }
}
