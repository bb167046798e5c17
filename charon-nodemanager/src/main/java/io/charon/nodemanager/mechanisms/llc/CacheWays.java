/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import io.charon.core.mechanism.Action;
import io.charon.nodemanager.execution.Actuator;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/**
 * Limits how much of the last-level cache best-effort may fill. Of W ways it gets
 *
 * <pre>max(least, floor(W * limit / capacity))</pre>
 *
 * <p>where limit and capacity are the cores of the law that also limits CPU time (Scavenger,
 * section 7), or ways themselves, and least is the kernel's minimum. Each time a limit is applied,
 * the group's threads become those of best-effort.
 */
final class CacheWays implements Actuator {
  /** Tolerance of floating-point rounding: 2/11 of 11 ways has to result in 2 ways. */
  private static final double ROUNDING = 1e-9;

  private final ResctrlGroup group;
  private final GroupThreads threads;

  /**
   * Creates the actuator without limiting anything.
   *
   * @param group the group of best-effort
   * @param threads keeps best-effort's threads in the group
   */
  CacheWays(ResctrlGroup group, GroupThreads threads) {
    this.group = group;
    this.threads = threads;
  }

  @Override
  public Optional<String> unavailable() {
    return group.unavailable();
  }

  @Override
  public String apply(Action.SetLimit wanted) throws IOException {
    int all = group.ways();
    int ways = ways(all, group.minWays(), wanted.amount(), wanted.capacity());
    String schema = group.limit(ways);
    return String.format(Locale.ROOT, "%s, %d of %d ways, %s", schema, ways, all, threads.follow());
  }

  private static int ways(int all, int least, double limit, double capacity) {
    double share = capacity > 0 ? Math.min(1, limit / capacity) : 0;
    return Math.max(least, (int) Math.floor(all * share + ROUNDING));
  }

  @Override
  public boolean holds() {
    return threads.holds();
  }

  @Override
  public void undo() throws IOException {
    if (!group.exists()) {
      return;
    }
    try {
      if (group.hasWays()) {
        group.limit(group.ways());
      }
      threads.release();
    } catch (IOException e) {
      throw new IOException(
          "best-effort may still be limited to some ways of the cache: %s; to remove the limit, remove the group's directory as root (rmdir), which moves its tasks to the default group"
              .formatted(e.getMessage()),
          e);
    }
  }
}
