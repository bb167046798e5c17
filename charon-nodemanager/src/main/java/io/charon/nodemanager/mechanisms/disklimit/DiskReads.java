/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.disklimit;

import io.charon.core.mechanism.Action;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.execution.Actuator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Limits the reads of all best-effort containers together from each disk: {@code io.max}, or
 * version 1's {@code blkio.throttle.read_bps_device}, on their common parent. A disk of unknown
 * speed is not limited. Existing limits of writes and of requests are kept. Not thread-safe.
 */
final class DiskReads implements Actuator {
  private static final String NONE_V1 = "0";
  private static final String READS_V2 = "rbps=";
  private static final String NONE_V2 = "max";
  private static final double MEGABYTE = 1e6;

  private final Path bestEffort;
  private final CgroupVersion version;
  private final Supplier<SortedMap<String, Long>> rates;
  private SortedMap<String, Long> set = new TreeMap<>();

  /**
   * Creates the actuator without limiting anything.
   *
   * @param bestEffort the cgroup that contains all best-effort processes, in the hierarchy with the
   *     io controller
   * @param version the cgroup version of this directory
   * @param rates the limits in bytes per second, by the numbers of the disks
   */
  DiskReads(Path bestEffort, CgroupVersion version, Supplier<SortedMap<String, Long>> rates) {
    this.bestEffort = bestEffort;
    this.version = version;
    this.rates = rates;
  }

  private Path file() {
    return CgroupFile.DISK_READS.path(bestEffort, version);
  }

  @Override
  public Optional<String> unavailable() {
    return Files.isWritable(file())
        ? Optional.empty()
        : Optional.of(
            file()
                + " cannot be written: the kernel needs block device throttling"
                + " (CONFIG_BLK_DEV_THROTTLING), and best-effort's cgroups must belong to the"
                + " NodeManager's user and have the controller io (docs/install.md)");
  }

  /** Sets the limits; an amount of at least the capacity removes them. */
  @Override
  public String apply(Action.SetLimit wanted) throws IOException {
    if (wanted.amount() >= wanted.capacity()) {
      undo();
      return "best-effort reads without a limit";
    }
    StringJoiner done = new StringJoiner(", ");
    SortedMap<String, Long> limits = rates.get();
    for (Map.Entry<String, Long> rate : limits.entrySet()) {
      write(rate.getKey(), rate.getValue().toString());
      done.add(
          String.format(
              Locale.ROOT, "disk %s at %.1f MB/s", rate.getKey(), rate.getValue() / MEGABYTE));
    }
    set = limits;
    return limits.isEmpty()
        ? "no limit: the speed of no disk is known"
        : "best-effort reads " + done;
  }

  private void write(String disk, String rate) throws IOException {
    String line = disk + " " + (version == CgroupVersion.V1 ? rate : READS_V2 + rate);
    try {
      CgroupFile.DISK_READS.write(bestEffort, version, line);
    } catch (IOException e) {
      throw new IOException(
          "cannot write '%s' into %s: %s".formatted(line, file(), e.getMessage()), e);
    }
  }

  /** Returns false if a disk needs another limit, even if the share of all disks is unchanged. */
  @Override
  public boolean holds() {
    return set.equals(rates.get());
  }

  @Override
  public void undo() throws IOException {
    set = new TreeMap<>();
    if (!Files.exists(file())) {
      return;
    }
    StringJoiner left = new StringJoiner("; ");
    for (String line : Files.readAllLines(file())) {
      String[] words = line.strip().split(" ", -1);
      if (isLimited(words)) {
        try {
          write(words[0], version == CgroupVersion.V1 ? NONE_V1 : NONE_V2);
        } catch (IOException e) {
          left.add(e.getMessage());
        }
      }
    }
    if (left.length() > 0) {
      throw new IOException(
          "best-effort's reads may still be limited; to remove the limit, as root: " + left);
    }
  }

  private boolean isLimited(String[] words) {
    return version == CgroupVersion.V1
        ? words.length == 2
        : List.of(words).stream()
            .anyMatch(word -> word.startsWith(READS_V2) && !word.equals(READS_V2 + NONE_V2));
  }
}
