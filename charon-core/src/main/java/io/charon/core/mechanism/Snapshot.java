/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/** What was read of a node at one instant. What could not be read is not in it. */
public final class Snapshot {
  private final long nanos;
  private final Map<Class<? extends Reading>, Reading> readings;

  /**
   * The readings of one instant.
   *
   * @param nanos when, on a clock that may start anywhere
   * @param readings each of another type
   */
  public Snapshot(long nanos, Reading... readings) {
    this.nanos = nanos;
    Map<Class<? extends Reading>, Reading> byType = new HashMap<>();
    for (Reading reading : readings) {
      byType.put(reading.getClass(), reading);
    }
    this.readings = Map.copyOf(byType);
  }

  /** When, on a clock that may start anywhere. */
  public long nanos() {
    return nanos;
  }

  /** Whether all of these were read. */
  public boolean hasAll(Set<Class<? extends Reading>> types) {
    return readings.keySet().containsAll(types);
  }

  /** A reading, if it was taken. */
  public <R extends Reading> Optional<R> find(Class<R> type) {
    return Optional.ofNullable(readings.get(type)).map(type::cast);
  }

  /**
   * A reading that the caller needs.
   *
   * @throws NoSuchElementException if it was not taken
   */
  public <R extends Reading> R get(Class<R> type) {
    return find(type).orElseThrow(() -> new NoSuchElementException(type.getSimpleName()));
  }
}
