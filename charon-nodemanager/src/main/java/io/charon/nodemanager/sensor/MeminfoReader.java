/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.PseudoFile;
import io.charon.nodemanager.sensor.NodeMemorySensor.MemoryReading;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the machine's total and available memory from /proc/meminfo, cheaply enough for a read
 * every millisecond: the sensor of a node that is the whole machine. Thread-safe.
 */
public final class MeminfoReader implements NodeMemorySensor, Closeable {
  private static final int BYTES_PER_KIB = 1024;

  private final PseudoFile meminfo;

  /**
   * Creates a reader that keeps the file open until it is closed.
   *
   * @param procRoot the mount point of proc, usually /proc
   */
  public MeminfoReader(Path procRoot) {
    meminfo = new PseudoFile(procRoot.resolve("meminfo"));
  }

  /**
   * Returns the current MemTotal and MemAvailable.
   *
   * @throws IOException naming the file and the field that cannot be read
   */
  @Override
  public synchronized NodeMemory read() throws IOException {
    meminfo.read();
    return memory();
  }

  /**
   * Returns the same together with the memory in use: all memory that is not free, not on the
   * kernel's lists of file pages and not reclaimable slab. MemAvailable, which counts only part of
   * the page cache as available, is used if the kernel does not report one of these.
   *
   * @throws IOException naming the file and the field that cannot be read
   */
  @Override
  public synchronized MemoryReading readUse() throws IOException {
    meminfo.read();
    NodeMemory memory = memory();
    long notUsedBytes = 0;
    for (String field : List.of("MemFree", "Active(file)", "Inactive(file)", "SReclaimable")) {
      long kib = meminfo.find(field);
      if (kib < 0) {
        return new MemoryReading(memory, memory.usedBytes(), swappedBytes());
      }
      notUsedBytes += BYTES_PER_KIB * kib;
    }
    return new MemoryReading(memory, memory.capacityBytes() - notUsedBytes, swappedBytes());
  }

  /** Returns the used swap, bytes; 0 if the machine has none. */
  private long swappedBytes() {
    return BYTES_PER_KIB * Math.max(0, meminfo.find("SwapTotal") - meminfo.find("SwapFree"));
  }

  private NodeMemory memory() throws IOException {
    long total = BYTES_PER_KIB * meminfo.field("MemTotal");
    long available = BYTES_PER_KIB * meminfo.field("MemAvailable");
    if (total == 0) {
      throw new IOException("field MemTotal of meminfo is 0");
    }
    return new NodeMemory(total, Math.min(available, total));
  }

  @Override
  public synchronized void close() throws IOException {
    meminfo.close();
  }
}
