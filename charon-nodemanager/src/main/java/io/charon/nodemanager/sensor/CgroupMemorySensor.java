/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.PseudoFile;
import io.charon.nodemanager.sensor.NodeMemorySensor.MemoryReading;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;

/**
 * Reads the node's memory if the node is a memory cgroup: capacity = min(limit, MemTotal),
 * available = limit - working set, but never more than the machine has available. The limit is the
 * smallest one of the cgroup and those above it, and the working set that of the cgroup which has
 * it, as {@link MemoryStat} defines it, so page cache counts as available.
 */
public final class CgroupMemorySensor implements NodeMemorySensor, Closeable {
  private final CgroupVersion version;
  private final MeminfoReader meminfo;
  private final SmallestLimit limit;
  private Path measured;
  private MemoryStat stat;
  private PseudoFile usage;

  /**
   * Creates a sensor that keeps its files open until it is closed.
   *
   * @param memoryCgroup directory of the cgroup in the hierarchy with the memory controller
   * @param version the version whose file names it uses
   * @param meminfo the machine's memory; closed by the caller
   */
  public CgroupMemorySensor(Path memoryCgroup, CgroupVersion version, MeminfoReader meminfo) {
    this.version = version;
    this.meminfo = meminfo;
    this.limit = new SmallestLimit(memoryCgroup, version);
    this.measured = memoryCgroup;
    this.stat = new MemoryStat(memoryCgroup, version);
    this.usage = new PseudoFile(CgroupFile.MEMORY_USAGE.path(memoryCgroup, version));
  }

  @Override
  public synchronized NodeMemory read() throws IOException {
    NodeMemory host = meminfo.read();
    return within(host, capacityBytes(host));
  }

  @Override
  public synchronized MemoryReading readUse() throws IOException {
    MemoryReading reading = meminfo.readUse();
    NodeMemory host = reading.memory();
    NodeMemory memory = within(host, capacityBytes(host));
    // Memory of this cgroup's share that other processes on the machine took is in use, too.
    long takenByOthers = memory.capacityBytes() - (host.capacityBytes() - reading.usedBytes());
    return new MemoryReading(
        memory, Math.max(stat.workingSetBytes(), takenByOthers), stat.swappedBytes());
  }

  /** Returns the capacity; from now on, the use of the cgroup that has this limit is read. */
  private long capacityBytes(NodeMemory host) throws IOException {
    SmallestLimit.Found found = limit.read();
    if (!found.cgroup().equals(measured)) {
      stat.close();
      usage.close();
      measured = found.cgroup();
      stat = new MemoryStat(measured, version);
      usage = new PseudoFile(CgroupFile.MEMORY_USAGE.path(measured, version));
    }
    return Math.min(found.bytes(), host.capacityBytes());
  }

  private NodeMemory within(NodeMemory host, long capacity) throws IOException {
    stat.read();
    long free = Math.max(0, capacity - stat.workingSetBytes());
    return new NodeMemory(capacity, Math.min(free, host.availableBytes()));
  }

  /**
   * Charged memory is never less than the working set. So if the limit minus the charge is enough,
   * the limit minus the working set is as well, and one small read gives the answer. Only if page
   * cache fills the cgroup up to its limit, memory.stat must be read.
   */
  @Override
  public synchronized boolean availableAtLeast(LongUnaryOperator bytesOfCapacity)
      throws IOException {
    NodeMemory host = meminfo.read();
    long capacity = capacityBytes(host);
    long bytes = bytesOfCapacity.applyAsLong(capacity);
    if (host.availableBytes() < bytes) {
      return false;
    }
    usage.read();
    return capacity - usage.number() >= bytes || within(host, capacity).availableBytes() >= bytes;
  }

  @Override
  public synchronized void close() throws IOException {
    stat.close();
    usage.close();
    limit.close();
  }
}
