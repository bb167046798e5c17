/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The node is a memory cgroup: capacity = min(limit, MemTotal), available = limit - working set,
 * but never more than the machine has available. The limit is the smallest of the cgroup's own and
 * those above it; the working set is that of {@link MemoryStat}, so page cache counts as available.
 */
public final class CgroupMemorySensor implements NodeMemorySensor, Closeable {
  private final Path memoryCgroup;
  private final MeminfoReader meminfo;
  private final MemoryStat stat;
  private final PseudoFile usage;

  /** Limits of the cgroup and of those above it. */
  private final List<PseudoFile> limits = new ArrayList<>();

  /**
   * A sensor that keeps its files open until it is closed.
   *
   * @param memoryCgroup directory of the cgroup in the hierarchy with the memory controller
   * @param version whose files it has
   * @param meminfo the machine's memory; stays the caller's to close
   */
  public CgroupMemorySensor(Path memoryCgroup, CgroupVersion version, MeminfoReader meminfo) {
    this.memoryCgroup = memoryCgroup;
    this.meminfo = meminfo;
    this.stat = new MemoryStat(memoryCgroup, version);
    this.usage = new PseudoFile(CgroupFile.MEMORY_USAGE.path(memoryCgroup, version));
    Path cgroup = memoryCgroup;
    Path limit = CgroupFile.MEMORY_LIMIT.path(cgroup, version);
    do {
      limits.add(new PseudoFile(limit));
      cgroup = cgroup.getParent();
      limit = CgroupFile.MEMORY_LIMIT.path(cgroup, version);
    } while (Files.exists(limit)); // the root of v2 has none
  }

  @Override
  public NodeMemory read() throws IOException {
    return readUse().memory();
  }

  @Override
  public synchronized MemoryReading readUse() throws IOException {
    MemoryReading reading = meminfo.readUse();
    NodeMemory host = reading.memory();
    stat.read();
    long capacity = Math.min(limitBytes(), host.capacityBytes());
    long workingSet = stat.workingSetBytes();
    long free = Math.max(0, capacity - workingSet);
    // What others on the machine took of this cgroup's share is in use, too.
    long takenByOthers = capacity - (host.capacityBytes() - reading.usedBytes());
    return new MemoryReading(
        new NodeMemory(capacity, Math.min(free, host.availableBytes())),
        Math.max(workingSet, takenByOthers),
        stat.swappedBytes());
  }

  /**
   * Charged memory is never less than the working set, so if limit minus charge is enough, so is
   * limit minus working set: one small read answers. Page cache can fill a cgroup up to its limit;
   * only then memory.stat must be read.
   */
  @Override
  public synchronized boolean availableAtLeast(long bytes) throws IOException {
    NodeMemory host = meminfo.read();
    if (host.availableBytes() < bytes) {
      return false;
    }
    usage.read();
    long capacity = Math.min(limitBytes(), host.capacityBytes());
    return capacity - usage.number() >= bytes || read().availableBytes() >= bytes;
  }

  private long limitBytes() throws IOException {
    long smallest = Long.MAX_VALUE;
    for (PseudoFile limit : limits) {
      limit.read();
      smallest = Math.min(smallest, limit.number());
    }
    if (smallest <= 0) {
      throw new IOException(memoryCgroup + " or a cgroup above it has a memory limit of 0 bytes");
    }
    return smallest;
  }

  @Override
  public synchronized void close() throws IOException {
    stat.close();
    usage.close();
    for (PseudoFile limit : limits) {
      limit.close();
    }
  }
}
