/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.eviction.PressureRule.MemoryPressure;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads how long some process of the machine recently waited for memory, from Linux's pressure
 * stall information. Not thread-safe.
 */
public final class MemoryPressureSensor implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryPressureSensor.class);

  private final PseudoFile file;

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
      var unused = measure();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "the kernel has no pressure stall information: boot it with psi=1 ("
              + e.getMessage()
              + ")");
    }
  }

  /** Returns the current pressure; empty if it cannot be read. */
  public Optional<MemoryPressure> read() {
    try {
      return Optional.of(measure());
    } catch (IOException e) {
      LOG.debug("cannot read the memory pressure", e);
      return Optional.empty();
    }
  }

  /** Reads the line "some" of the file, which comes first. */
  private MemoryPressure measure() throws IOException {
    file.read();
    return new MemoryPressure(file.decimalAfter("some avg10="));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
