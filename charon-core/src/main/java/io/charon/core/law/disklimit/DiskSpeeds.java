/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import io.charon.core.law.SlidingMaximum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Determines the speed of disks from their counters: the highest rate of the last ten minutes,
 * among intervals in which the disk was busy for at least half of the time. Our choice. The speed
 * of a disk that is not busy is unknown, and no process waits for it.
 */
public final class DiskSpeeds {
  private static final Duration LATELY = Duration.ofMinutes(10);

  /** Minimum interval: a rate over a shorter time does not predict the next one. */
  private static final long SHORTEST_NANOS = Duration.ofMillis(200).toNanos();

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * The counters of a disk since it was attached.
   *
   * @param number major and minor number in the kernel's format, such as 254:0
   * @param name such as vda
   * @param readBytes bytes read from it
   * @param busyMillis the time for which it was busy
   */
  public record DiskCounters(String number, String name, long readBytes, long busyMillis) {}

  private static final class Watched {
    DiskCounters before;
    long beforeNanos;
    boolean busy;
    final SlidingMaximum rates = new SlidingMaximum(LATELY);

    Watched(DiskCounters first, long nanos) {
      before = first;
      beforeNanos = nanos;
    }

    void sample(DiskCounters now, long nanos) {
      long elapsed = nanos - beforeNanos;
      if (elapsed >= 0 && elapsed < SHORTEST_NANOS) {
        return;
      }
      long read = now.readBytes() - before.readBytes();
      long busyMillis = now.busyMillis() - before.busyMillis();
      before = now;
      beforeNanos = nanos;
      boolean comparable = elapsed > 0 && read >= 0 && busyMillis >= 0;
      busy = comparable && 2 * busyMillis * NANOS_PER_MILLI >= elapsed;
      if (busy && read > 0) {
        rates.add(nanos, (long) (read / (elapsed / NANOS_PER_SECOND)));
      }
    }
  }

  private final Map<String, Watched> disks = new HashMap<>();

  /**
   * Returns the state of all disks.
   *
   * @param nanos the current time
   * @param counted the counters of every disk
   */
  public List<Disk> sample(long nanos, List<DiskCounters> counted) {
    Set<String> present = counted.stream().map(DiskCounters::number).collect(Collectors.toSet());
    disks.keySet().retainAll(present);
    List<Disk> seen = new ArrayList<>();
    for (DiskCounters now : counted) {
      Watched disk = disks.get(now.number());
      if (disk == null || !disk.before.name().equals(now.name())) {
        disk = new Watched(now, nanos);
        disks.put(now.number(), disk);
      } else {
        disk.sample(now, nanos);
      }
      seen.add(new Disk(now.number(), now.name(), disk.rates.value(nanos), disk.busy));
    }
    return seen;
  }
}
