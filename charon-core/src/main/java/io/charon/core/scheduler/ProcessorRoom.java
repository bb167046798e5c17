/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.Locale;

/**
 * Whether a node's processors leave room for one more best-effort container. Unless it is told the
 * number of cores and of threads, there is room.
 */
public final class ProcessorRoom {
  private final ProcessorLimits limits;
  private double cores;
  private double runnablePerCore;

  /** Creates a node of which nothing is known. */
  ProcessorRoom(ProcessorLimits limits) {
    this.limits = limits;
  }

  /**
   * Sets what is known of the processors.
   *
   * @param count number of cores, positive, which determines the start limit; not an integer if the
   *     cores are shared
   * @param runnable mean number of threads that run or wait for a core, for each core, 0 or more; 0
   *     if unknown
   */
  public void seen(double count, double runnable) {
    if (!(count > 0)) {
      throw new IllegalArgumentException("a node must have at least 1 core, got " + count);
    }
    if (!(runnable >= 0)) {
      throw new IllegalArgumentException("threads must be 0 or more, got " + runnable);
    }
    cores = count;
    runnablePerCore = runnable;
  }

  /**
   * Returns the mean number of threads that run or wait for a core, for each core; 0 if unknown.
   */
  public double runnablePerCore() {
    return runnablePerCore;
  }

  /** Returns whether so many threads want to run that no container may start. */
  public boolean isBusy() {
    return limits.runnablePerCore() > 0 && runnablePerCore >= limits.runnablePerCore();
  }

  /** Returns whether so many containers are starting that no further one may start now. */
  boolean isStarting(Collection<RunningContainer> running, long nowNanos) {
    return limits.starts().isReached(running, cores, nowNanos);
  }

  /** Returns the measured value, the limit and what follows. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.2f threads per core run or wait for one, limit %s: best-effort %s",
        runnablePerCore,
        limits.runnablePerCore(),
        isBusy() ? "waits" : "may start");
  }
}
