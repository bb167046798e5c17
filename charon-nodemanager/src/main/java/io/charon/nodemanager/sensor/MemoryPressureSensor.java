/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.MemoryPressure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long some process of the machine waited for memory lately, as Linux's pressure stall
 * information says. For one thread.
 */
public final class MemoryPressureSensor implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryPressureSensor.class);

  private final PseudoFile file;

  /**
   * A sensor that has not read yet.
   *
   * @param procRoot where proc is mounted
   */
  public MemoryPressureSensor(Path procRoot) {
    this.file = new PseudoFile(procRoot.resolve("pressure/memory"));
  }

  /** Why this machine has no such signal, with the cure; empty if it has. */
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

  /** Reads it; empty if it cannot be read. */
  public Optional<MemoryPressure> read() {
    try {
      return Optional.of(measure());
    } catch (IOException e) {
      LOG.debug("memory pressure is not known", e);
      return Optional.empty();
    }
  }

  /** The line "some" comes first. */
  private MemoryPressure measure() throws IOException {
    file.read();
    return new MemoryPressure(file.decimalAfter("some avg10="));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
