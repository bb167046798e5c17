/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads how many threads of the machine run or wait for a CPU, for each of its CPUs. The kernel
 * tells the number of one moment, so that the mean over several readings is returned. Threads that
 * a quota holds back do not count. Not thread-safe.
 */
public final class RunnableThreadsSensor {
  private static final Logger LOG = LoggerFactory.getLogger(RunnableThreadsSensor.class);

  /** Long enough to average bursts, and about the time in which a new container shows its use. */
  private static final double MEAN_NANOS = Duration.ofSeconds(10).toNanos();

  private final ProcStat machine;
  private OptionalDouble mean = OptionalDouble.empty();
  private long readNanos;
  private boolean failed;

  /**
   * Creates a sensor without any reading.
   *
   * @param procRoot the mount point of proc
   */
  public RunnableThreadsSensor(Path procRoot) {
    this.machine = new ProcStat(procRoot);
  }

  /**
   * Reads the number of runnable threads per CPU.
   *
   * @param nanos the time, not before that of the last reading
   * @return the mean, in which a reading loses two thirds of its weight in 10 s; empty if this one
   *     failed, which is logged
   */
  public OptionalDouble read(long nanos) {
    machine.read();
    try {
      // The reader itself runs at this moment.
      double others = Math.max(0, machine.runnableThreads() - 1);
      mean = OptionalDouble.of(mean(others / machine.cores().count(), nanos));
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.warn("launches disregard the processors until this is repaired: {}", e.getMessage());
      }
      failed = true;
      mean = OptionalDouble.empty();
    }
    readNanos = nanos;
    return mean;
  }

  private double mean(double perCore, long nanos) {
    double before = mean.orElse(perCore);
    return perCore + (before - perCore) * Math.exp((readNanos - nanos) / MEAN_NANOS);
  }
}
