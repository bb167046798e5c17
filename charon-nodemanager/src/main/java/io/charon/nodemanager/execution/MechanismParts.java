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

/** What a mechanism, or several that share something, bring to a node. */
public interface MechanismParts extends Closeable {
  /** What decides, and what each may do. */
  List<MechanismRunner.Entry> entries();

  /** What sets their limits, and takes them away; nothing where others do. */
  default Map<Limit, Actuator> actuators() {
    return Map.of();
  }

  /**
   * What they see beside what all mechanisms see, on the thread of the tick; nothing where nobody
   * asked, or where it cannot be read.
   *
   * @param nanos now, monotonic
   */
  default Stream<? extends Reading> readings(long nanos) {
    return Stream.empty();
  }

  @Override
  default void close() throws IOException {}
}
