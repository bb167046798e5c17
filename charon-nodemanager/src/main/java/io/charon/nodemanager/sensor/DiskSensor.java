/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.disklimit.DiskSpeeds;
import io.charon.core.law.disklimit.DiskSpeeds.DiskCounters;
import io.charon.core.law.disklimit.Disks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the speeds of the machine's disks and which of them are busy. A disk is a block device with
 * hardware behind it, or one that a hypervisor presents as such. Devices built from disks (dm, md,
 * loop) read from these, and a partition cannot have a limit of its own. Not thread-safe.
 */
public final class DiskSensor {
  private static final int BYTES_PER_SECTOR = 512;

  // Fields of a line of /proc/diskstats, see Documentation/admin-guide/iostats.rst.
  private static final int MAJOR = 0;
  private static final int MINOR = 1;
  private static final int NAME = 2;
  private static final int SECTORS_READ = 5;
  private static final int BUSY_MILLIS = 12;

  private final Path diskstats;
  private final Path block;
  private final DiskSpeeds speeds = new DiskSpeeds();

  /**
   * Creates a sensor without any reading.
   *
   * @param procRoot the mount point of proc
   * @param sysRoot the mount point of sysfs
   */
  public DiskSensor(Path procRoot, Path sysRoot) {
    this.diskstats = procRoot.resolve("diskstats");
    this.block = sysRoot.resolve("block");
  }

  /**
   * Reads the disks.
   *
   * @param nanos current monotonic time
   * @throws IOException naming the file, if it cannot be read
   */
  public Disks read(long nanos) throws IOException {
    List<DiskCounters> counted = new ArrayList<>();
    for (String line : Files.readAllLines(diskstats)) {
      String[] fields = line.strip().split("\\s+", -1);
      if (fields.length > BUSY_MILLIS && isDisk(fields[NAME])) {
        counted.add(counters(line, fields));
      }
    }
    return new Disks(speeds.sample(nanos, counted));
  }

  private boolean isDisk(String name) {
    return Files.exists(block.resolve(name).resolve("device"));
  }

  private DiskCounters counters(String line, String[] fields) throws IOException {
    try {
      return new DiskCounters(
          fields[MAJOR] + ":" + fields[MINOR],
          fields[NAME],
          Long.parseLong(fields[SECTORS_READ]) * BYTES_PER_SECTOR,
          Long.parseLong(fields[BUSY_MILLIS]));
    } catch (NumberFormatException e) {
      throw new IOException(diskstats + " has a line that cannot be parsed: " + line, e);
    }
  }
}
