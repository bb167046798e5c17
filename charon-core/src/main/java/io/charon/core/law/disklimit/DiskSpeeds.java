/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import io.charon.core.law.HighestLately;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How fast disks are, from their counters: the highest rate of the last ten minutes of those
 * moments in which the disk was busy for half of the time (ours). A disk that is not busy says
 * nothing of its speed, and nobody waits for it.
 */
public final class DiskSpeeds {
  private static final Duration LATELY = Duration.ofMinutes(10);

  /** Over a shorter time a rate says little of what comes next. */
  private static final long SHORTEST_NANOS = Duration.ofMillis(200).toNanos();

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final class Watched {
    DiskCounters before;
    long beforeNanos;
    boolean busy;
    final HighestLately rates = new HighestLately(LATELY);

    Watched(DiskCounters first, long nanos) {
      before = first;
      beforeNanos = nanos;
    }

    void look(DiskCounters now, long nanos) {
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
   * Looks.
   *
   * @param nanos now
   * @param counted every disk that there is
   */
  public List<Disk> look(long nanos, List<DiskCounters> counted) {
    Set<String> present = counted.stream().map(DiskCounters::number).collect(Collectors.toSet());
    disks.keySet().retainAll(present);
    List<Disk> seen = new ArrayList<>();
    for (DiskCounters now : counted) {
      Watched disk = disks.get(now.number());
      if (disk == null || !disk.before.name().equals(now.name())) {
        disk = new Watched(now, nanos);
        disks.put(now.number(), disk);
      } else {
        disk.look(now, nanos);
      }
      seen.add(new Disk(now.number(), now.name(), disk.rates.value(nanos), disk.busy));
    }
    return seen;
  }
}
