/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a cgroup and all below it hold.
 *
 * @param chargedBytes memory, page cache and kernel memory included
 * @param swapBytes what is in swap; 0 where the kernel does not count it
 * @param cleanBytes page cache that could be dropped at once: on the lists of file pages, neither
 *     dirty nor under writeback
 * @param mappedBytes pages of files that processes have mapped; 0 where the kernel does not say
 */
public record CgroupUse(long chargedBytes, long swapBytes, long cleanBytes, long mappedBytes) {
  /**
   * Reads a cgroup's files.
   *
   * @throws IOException naming the file that cannot be read
   */
  public static CgroupUse read(Path cgroup, CgroupVersion version) throws IOException {
    boolean first = version == CgroupVersion.V1;
    try (PseudoFile usage = new PseudoFile(CgroupFile.MEMORY_USAGE.path(cgroup, version));
        PseudoFile stat = new PseudoFile(CgroupFile.MEMORY_STAT.path(cgroup, version))) {
      usage.read();
      stat.read();
      return new CgroupUse(
          usage.number(),
          first ? Math.max(0, stat.find("total_swap")) : swap(cgroup, version),
          cleanBytes(stat, version),
          Math.max(0, stat.find(first ? "total_mapped_file" : "file_mapped")));
    }
  }

  /** Page cache that could be dropped at once, by {@code memory.stat} as it was just read. */
  static long cleanBytes(PseudoFile stat, CgroupVersion version) throws IOException {
    boolean first = version == CgroupVersion.V1;
    String prefix = first ? "total_" : "";
    long file = stat.field(prefix + "active_file") + stat.field(prefix + "inactive_file");
    long dirty = Math.max(0, stat.find(first ? "total_dirty" : "file_dirty"));
    long writeback = Math.max(0, stat.find(first ? "total_writeback" : "file_writeback"));
    return Math.max(0, file - dirty - writeback);
  }

  private static long swap(Path cgroup, CgroupVersion version) {
    Optional<Path> file = CgroupFile.SWAP_USAGE.in(cgroup, version);
    try (PseudoFile swap = new PseudoFile(file.orElseThrow())) {
      swap.read();
      return swap.number();
    } catch (IOException kernelThatDoesNotCountSwap) {
      return 0;
    }
  }

  /** What an empty one holds. */
  static CgroupUse nothing() {
    return new CgroupUse(0, 0, 0, 0);
  }

  /** What both hold. */
  CgroupUse plus(CgroupUse other) {
    return new CgroupUse(
        chargedBytes + other.chargedBytes,
        swapBytes + other.swapBytes,
        cleanBytes + other.cleanBytes,
        mappedBytes + other.mappedBytes);
  }

  /** Memory and what is in swap. */
  public long bytes() {
    return chargedBytes + swapBytes;
  }

  /** What could not be dropped at once, swap not counted. */
  public long unreclaimableBytes() {
    return Math.max(0, chargedBytes - cleanBytes);
  }
}
