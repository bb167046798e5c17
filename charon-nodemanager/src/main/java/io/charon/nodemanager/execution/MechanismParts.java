/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Reading;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The parts that a mechanism, or several that share something, add to a node. */
public interface MechanismParts extends Closeable {
  /** Returns the mechanisms and their modes. */
  List<MechanismRunner.Entry> entries();

  /** Returns the actuators of their limits; empty if other parts have them. */
  default Map<Limit, Actuator> actuators() {
    return Map.of();
  }

  /**
   * Returns the readings that they need beyond the common ones. Called on the tick's thread; empty
   * if they are not wanted or cannot be read.
   *
   * @param nanos now, monotonic
   */
  default Stream<? extends Reading> readings(long nanos) {
    return Stream.empty();
  }

  @Override
  default void close() throws IOException {}
}
