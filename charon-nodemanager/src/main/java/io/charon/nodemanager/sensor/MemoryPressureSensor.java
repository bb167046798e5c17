/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.CounterRate;
import io.charon.core.law.eviction.PressureRule.MemoryPressure;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads how long some process of the machine recently waited for memory, from Linux's pressure
 * stall information. Not thread-safe.
 */
public final class MemoryPressureSensor implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryPressureSensor.class);

  /** The file counts microseconds: waiting all the time is a million a second. */
  private static final double PERCENT_PER_RATE = 1e-4;

  private final PseudoFile file;
  private final CounterRate waited = new CounterRate();

  /**
   * Creates a sensor without any reading.
   *
   * @param procRoot the mount point of proc
   */
  public MemoryPressureSensor(Path procRoot) {
    this.file = new PseudoFile(procRoot.resolve("pressure/memory"));
  }

  /** Returns why this machine lacks the signal, with the cure; empty if it has it. */
  public Optional<String> unavailable() {
    try {
      file.read();
      var unused = average() + total();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "the kernel has no pressure stall information: boot it with psi=1 ("
              + e.getMessage()
              + ")");
    }
  }

  /**
   * Returns the current pressure; empty if it cannot be read.
   *
   * @param nanos current time on the caller's monotonic clock
   */
  public Optional<MemoryPressure> read(long nanos) {
    try {
      file.read();
      double average = average();
      OptionalDouble rate = waited.read(nanos, total());
      return Optional.of(
          new MemoryPressure(
              average,
              rate.isPresent()
                  ? OptionalDouble.of(rate.getAsDouble() * PERCENT_PER_RATE)
                  : OptionalDouble.empty()));
    } catch (IOException e) {
      LOG.debug("cannot read the memory pressure", e);
      return Optional.empty();
    }
  }

  private double average() throws IOException {
    return file.decimalAfter("some avg10=");
  }

  private double total() throws IOException {
    return (double) file.after("total="); // the line "some" comes first
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
